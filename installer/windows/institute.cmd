@echo off
rem Every command of the program, on the data of the service: "C:\Program Files\Institute\institute.cmd" doctor
rem The data are for the service and for administrators, so the command window has to be run as administrator.
setlocal
set "INSTITUTE_DATA_DIR=%ProgramData%\Institute\data"
"%~dp0institute.exe" %*
