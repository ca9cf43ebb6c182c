; The set-up for Windows, made by build/windows-setup.ts:
;   makensis -DVERSION=1.0.0 -DFILES=FOLDER -DOUT=FILE -DSECONDS=180 setup.nsi    FOLDER: institute.exe, institute-host.exe, LICENSE-NOTICE
; InstituteSetup.exe /S installs or updates without questions, uninstall.exe /S takes the program away and keeps the data.
; Exit codes: 0 done; 1 not done, and a version that was there goes on as it was; 2 the new version did not begin to serve, and
; the former one serves again with its data.

Target amd64-unicode
; The parts of the program are compressed already.
SetCompressor zlib
Name "Institute"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\Institute"
RequestExecutionLevel admin
ManifestSupportedOS Win10
ShowInstDetails show
ShowUninstDetails show

!include MUI2.nsh
!include LogicLib.nsh
!include x64.nsh
!include WinVer.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Institute"
!define ADDRESS "http://localhost:8080/"
; Names of groups are translated, so rights are given by SIDs: the system, administrators, and the service's own account
; (S-1-5-80- and SHA-1 of the service's name in capitals).
!define SYSTEM "*S-1-5-18"
!define ADMINISTRATORS "*S-1-5-32-544"
!define SERVICE "*S-1-5-80-413187408-637848358-132974124-3552372536-1977964064"

!define MUI_ABORTWARNING
!define MUI_WELCOMEPAGE_TITLE "$(WelcomeTitle)"
!define MUI_WELCOMEPAGE_TEXT "$(WelcomeText)"
!define MUI_FINISHPAGE_TEXT "$(FinishText)"
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "$(OpenIt)"
!define MUI_FINISHPAGE_RUN_FUNCTION OpenIt
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(DataStay)"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE Arabic
!insertmacro MUI_LANGUAGE Hebrew
!include words.nsh

Var Token
Var Backup
Var Trouble

!macro Places
  SetRegView 64
  SetShellVarContext all ; $APPDATA is C:\ProgramData
  StrCpy $INSTDIR "$PROGRAMFILES64\Institute"
!macroend

Function .onInit
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "$(TooOld)" /SD IDOK
    SetErrorLevel 1
    Quit
  ${EndIf}
  !insertmacro Places
  !insertmacro MUI_LANGDLL_DISPLAY
FunctionEnd

Function un.onInit
  !insertmacro Places
FunctionEnd

Function OpenIt
  ; The set-up is an administrator; the browser of whoever sits here is not to be one, and Explorer starts it as that person.
  ${If} $Token == ""
    Exec '"$WINDIR\explorer.exe" "${ADDRESS}"'
  ${Else}
    Exec '"$WINDIR\explorer.exe" "${ADDRESS}setup/#token=$Token"'
  ${EndIf}
FunctionEnd

; Runs a command of the program on the data of the service; $0 is its exit code, $1 what it wrote last but for the line's end.
!macro Run WORDS
  nsExec::ExecToStack '"$INSTDIR\institute.exe" ${WORDS} --data-dir "$APPDATA\Institute\data"'
  Pop $0
  Pop $1
!macroend

!macro Host WORDS
  nsExec::ExecToLog '"$INSTDIR\institute-host.exe" ${WORDS}'
  Pop $0
!macroend

; What goes wrong before anything has changed for good.
Function GiveUp
  DetailPrint "$Trouble"
  MessageBox MB_OK|MB_ICONSTOP "$Trouble" /SD IDOK
  SetErrorLevel 1
  Quit
FunctionEnd

; The former version comes back to its place, and the data as they were when it stopped.
Function GoBack
  DetailPrint "$(GoingBack)"
  !insertmacro Host stop
  Delete "$INSTDIR\institute.exe"
  Rename "$INSTDIR\institute.former.exe" "$INSTDIR\institute.exe"
  Rename "$INSTDIR\institute-host.exe" "$INSTDIR\institute-host.worse.exe"
  Rename "$INSTDIR\institute-host.former.exe" "$INSTDIR\institute-host.exe"
  Delete /REBOOTOK "$INSTDIR\institute-host.worse.exe"
  ${If} $Backup != ""
    !insertmacro Run 'restore --yes "$Backup"'
    DetailPrint "$1"
  ${EndIf}
  !insertmacro Host "start ${SECONDS}"
  MessageBox MB_OK|MB_ICONSTOP "$(WentBack)" /SD IDOK
  SetErrorLevel 2
  Quit
FunctionEnd

; Nobody but the service, the system and administrators reads the data, and the folder is nobody else's: users may make
; folders in ProgramData.
Function CloseFolder
  CreateDirectory "$APPDATA\Institute"
  nsExec::ExecToLog 'icacls "$APPDATA\Institute" /setowner ${ADMINISTRATORS} /T /C /L /Q'
  nsExec::ExecToLog 'icacls "$APPDATA\Institute" /inheritance:r /grant:r ${SYSTEM}:(OI)(CI)F ${ADMINISTRATORS}:(OI)(CI)F ${SERVICE}:(OI)(CI)M'
  Pop $0
  CreateDirectory "$APPDATA\Institute\data"
  CreateDirectory "$APPDATA\Institute\logs"
  ; What lay there gets these rights and no others.
  nsExec::ExecToLog 'icacls "$APPDATA\Institute\*" /reset /T /C /L /Q'
FunctionEnd

; Other machines of the network reach the program, not those of a network that Windows calls public.
!macro Firewall
  nsExec::ExecToLog 'netsh advfirewall firewall delete rule name="Institute"'
!macroend
Function OpenFirewall
  !insertmacro Firewall
  nsExec::ExecToLog 'netsh advfirewall firewall add rule name="Institute" dir=in action=allow program="$INSTDIR\institute.exe" protocol=TCP profile=private,domain'
  nsExec::ExecToLog 'netsh advfirewall firewall add rule name="Institute" dir=in action=allow program="$INSTDIR\institute.exe" protocol=UDP localport=5353 profile=private,domain'
FunctionEnd

; Windows lists it among its apps, from where it is removed.
Function Register
  WriteINIStr "$SMPROGRAMS\Institute.url" "InternetShortcut" "URL" "${ADDRESS}"
  WriteRegStr HKLM "${KEY}" "DisplayName" "Institute"
  WriteRegStr HKLM "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${KEY}" "DisplayIcon" "$INSTDIR\institute.exe"
  WriteRegStr HKLM "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${KEY}" "NoModify" 1
  WriteRegDWORD HKLM "${KEY}" "NoRepair" 1
FunctionEnd

Section
  StrCpy $Token ""
  StrCpy $Backup ""
  SetOutPath "$INSTDIR"
  ; A former one: it stops, is backed up, and is kept until the new one serves.
  ${If} ${FileExists} "$INSTDIR\institute-host.exe"
    DetailPrint "$(Stopping)"
    !insertmacro Host stop
    ${If} $0 != 0
      StrCpy $Trouble "$(DoesNotStop)"
      Call GiveUp
    ${EndIf}
    ${If} ${FileExists} "$APPDATA\Institute\data\institute.db"
      DetailPrint "$(BackingUp)"
      !insertmacro Run "backup"
      ${If} $0 != 0
        DetailPrint "$1"
        !insertmacro Host "start ${SECONDS}"
        StrCpy $Trouble "$(NoBackup)"
        Call GiveUp
      ${EndIf}
      Call TakeBackupName
    ${EndIf}
    Delete "$INSTDIR\institute.former.exe"
    Rename "$INSTDIR\institute.exe" "$INSTDIR\institute.former.exe"
    ; Its process may take a moment more to end: a program that runs can be renamed, and not replaced.
    Delete "$INSTDIR\institute-host.former.exe"
    Rename "$INSTDIR\institute-host.exe" "$INSTDIR\institute-host.former.exe"
  ${Else}
    Call CloseFolder
    Call Register
  ${EndIf}

  File "${FILES}\institute.exe"
  File "${FILES}\institute-host.exe"
  File "${FILES}\LICENSE-NOTICE"
  File "institute.cmd"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  Call OpenFirewall

  DetailPrint "$(Starting)"
  !insertmacro Host install
  ${If} $0 != 0
    StrCpy $Trouble "$(NoService)"
    Call GiveUp
  ${EndIf}
  !insertmacro Host "start ${SECONDS}"
  ${If} $0 != 0
    ${If} ${FileExists} "$INSTDIR\institute.former.exe"
      Call GoBack
    ${EndIf}
    StrCpy $Trouble "$(DoesNotServe)"
    Call GiveUp
  ${EndIf}
  Delete "$INSTDIR\institute.former.exe"

  Delete "$INSTDIR\institute-host.former.exe"
  Call Register

  ; Until there is an institute: the wizard's token. Its file is one line.
  ${If} ${FileExists} "$APPDATA\Institute\data\setup-token"
    FileOpen $2 "$APPDATA\Institute\data\setup-token" r
    FileRead $2 $Token
    FileClose $2
    Push $Token
    Call FirstLine
    Pop $Token
    DetailPrint "${ADDRESS}setup/#token=$Token"
  ${EndIf}
SectionEnd

; Of what `institute backup` wrote, the line that names the file: it stands in the folder of the backups.
Function TakeBackupName
  StrCpy $Backup ""
  StrLen $2 $1
  StrCpy $3 0
  StrCpy $4 ""
  ${While} $3 <= $2
    StrCpy $5 $1 1 $3
    ${If} $5 == "$\n"
    ${OrIf} $5 == "$\r"
    ${OrIf} $5 == ""
      ${If} $4 != ""
      ${AndIf} ${FileExists} "$4"
        StrCpy $Backup $4
      ${EndIf}
      StrCpy $4 ""
    ${Else}
      StrCpy $4 "$4$5"
    ${EndIf}
    IntOp $3 $3 + 1
  ${EndWhile}
FunctionEnd

; Takes the line's end off the text on the stack.
Function FirstLine
  Exch $0
  ${Do}
    StrCpy $1 $0 1 -1
    ${If} $1 == "$\n"
    ${OrIf} $1 == "$\r"
      StrCpy $0 $0 -1
    ${Else}
      ${ExitDo}
    ${EndIf}
  ${Loop}
  Exch $0
FunctionEnd

Section Uninstall
  nsExec::ExecToLog '"$INSTDIR\institute-host.exe" uninstall'
  Pop $0
  !insertmacro Firewall
  ; The host's process may take a moment more to end.
  Sleep 1000
  Delete /REBOOTOK "$INSTDIR\institute.exe"
  Delete "$INSTDIR\institute.former.exe"
  Delete /REBOOTOK "$INSTDIR\institute-host.exe"
  Delete "$INSTDIR\institute-host.former.exe"
  Delete "$INSTDIR\institute-host.worse.exe"
  Delete "$INSTDIR\institute.cmd"
  Delete "$INSTDIR\LICENSE-NOTICE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Institute.url"
  DeleteRegKey HKLM "${KEY}"
  ; What the institute keeps stays, in $APPDATA\Institute.
SectionEnd
