/*
 * institute-host.exe: the Windows service. Windows speaks with a service in a way of its own, which Node does not know: this
 * small program does, and runs `institute.exe serve` beside itself. It starts the program again when it ends, keeps its log,
 * and runs as the account of the service, which may do nothing on the machine but write into its own folder.
 *
 *   institute-host.exe install        makes the service, or sets the one that is there right; does not start it
 *   institute-host.exe start SECONDS  starts it, and waits until the program serves
 *   institute-host.exe stop           stops it, and waits until it has stopped
 *   institute-host.exe uninstall      stops it, and takes it away
 *   institute-host.exe run            runs the program in the foreground, without a service
 *
 * What the host and the program tell each other (src/app/process/service-manager.ts):
 *   SERVICE_READY_FILE  the program makes this file once it serves
 *   standard input      a pipe; at its end the program stops. Ctrl+Break would need a console, which a service has not
 */
#include <stdio.h>
#include <windows.h>

#define NAME L"Institute"
/* An account that Windows makes with the service, for it alone, without a password. setup.nsi knows its SID. */
#define ACCOUNT L"NT SERVICE\\Institute"
#define STOP_MILLIS 25000
#define LOG_BYTES (10 * 1024 * 1024)
#define LOGS_KEPT 5
#define LONGEST 1024

static const DWORD PAUSES[] = {2000, 5000, 15000, 60000};
/* A program that served for so long before it ended has begun well: the pauses begin anew. */
#define LONG_ENOUGH_MILLIS 600000

static wchar_t here[LONGEST], home[LONGEST];
static SERVICE_STATUS_HANDLE status_handle;
static HANDLE stop_event;

static void path(wchar_t *to, const wchar_t *folder, const wchar_t *name) {
  _snwprintf(to, LONGEST, L"%ls\\%ls", folder, name);
  to[LONGEST - 1] = 0;
}

static void ready_file(wchar_t *to) { path(to, home, L"ready"); }

/* ---- The log: what the program writes, in files of 10 MB, of which some are kept. ---- */

static CRITICAL_SECTION log_lock;
static HANDLE log_file = INVALID_HANDLE_VALUE;
static LONGLONG log_bytes;

static void log_name(wchar_t *to, int number) {
  wchar_t name[64];
  if (number == 0) wcscpy(name, L"logs\\institute.log");
  else _snwprintf(name, 64, L"logs\\institute.%d.log", number);
  path(to, home, name);
}

static void open_log(void) {
  wchar_t file[LONGEST];
  log_name(file, 0);
  log_file = CreateFileW(file, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_ALWAYS, 0, NULL);
  LARGE_INTEGER size = {0};
  GetFileSizeEx(log_file, &size);
  log_bytes = size.QuadPart;
}

static void turn_log(void) {
  wchar_t from[LONGEST], to[LONGEST];
  CloseHandle(log_file);
  for (int number = LOGS_KEPT - 1; number >= 0; number--) {
    log_name(from, number);
    log_name(to, number + 1);
    MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING);
  }
  open_log();
}

static void write_log(const char *bytes, DWORD length) {
  DWORD written;
  EnterCriticalSection(&log_lock);
  if (log_bytes > LOG_BYTES) turn_log();
  if (WriteFile(log_file, bytes, length, &written, NULL)) log_bytes += written;
  LeaveCriticalSection(&log_lock);
}

/* One line of the host's own, as the program writes its own. */
static void say(const char *what, DWORD number) {
  char line[256];
  SYSTEMTIME now;
  GetSystemTime(&now);
  int length = snprintf(line, sizeof line, "{\"level\":\"warn\",\"time\":\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\",\"msg\":\"%s\",\"code\":%lu}\n",
                        now.wYear, now.wMonth, now.wDay, now.wHour, now.wMinute, now.wSecond, now.wMilliseconds, what, number);
  write_log(line, (DWORD)length);
}

static DWORD WINAPI keep_log(void *output) {
  char bytes[8192];
  DWORD length;
  while (ReadFile(output, bytes, sizeof bytes, &length, NULL)) write_log(bytes, length);
  CloseHandle(output);
  return 0;
}

/* ---- The program ---- */

struct program {
  HANDLE process;
  HANDLE input; /* the end of its standard input that is the host's */
  HANDLE log;   /* the thread that keeps what it writes */
};

static BOOL start_program(struct program *it, HANDLE job) {
  wchar_t file[LONGEST], data[LONGEST], ready[LONGEST], line[2 * LONGEST + 64];
  path(file, here, L"institute.exe");
  path(data, home, L"data");
  ready_file(ready);
  _snwprintf(line, 2 * LONGEST + 64, L"\"%ls\" serve --data-dir \"%ls\"", file, data);
  DeleteFileW(ready);
  SetEnvironmentVariableW(L"SERVICE_READY_FILE", ready);
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  HANDLE its_input, its_output, output;
  CreatePipe(&its_input, &it->input, &inherited, 0);
  CreatePipe(&output, &its_output, &inherited, 0);
  SetHandleInformation(it->input, HANDLE_FLAG_INHERIT, 0);
  SetHandleInformation(output, HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOW how = {0};
  how.cb = sizeof how;
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdInput = its_input;
  how.hStdOutput = how.hStdError = its_output;
  PROCESS_INFORMATION made = {0};
  BOOL done = CreateProcessW(file, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED, NULL, home, &how, &made);
  DWORD error = GetLastError();
  CloseHandle(its_input);
  CloseHandle(its_output);
  if (!done) {
    say("institute.exe cannot be started", error);
    CloseHandle(it->input);
    CloseHandle(output);
    return FALSE;
  }
  AssignProcessToJobObject(job, made.hProcess);
  it->process = made.hProcess;
  it->log = CreateThread(NULL, 0, keep_log, output, 0, NULL);
  ResumeThread(made.hThread);
  CloseHandle(made.hThread);
  return TRUE;
}

/* Asks it to stop, if it has not ended, and forgets it. @returns its exit code */
static DWORD end_program(struct program *it) {
  DWORD code = 0;
  CloseHandle(it->input);
  if (WaitForSingleObject(it->process, STOP_MILLIS) == WAIT_TIMEOUT) {
    say("the program did not stop when it was asked to, and was ended", STOP_MILLIS);
    TerminateProcess(it->process, 1);
    WaitForSingleObject(it->process, 5000);
  }
  GetExitCodeProcess(it->process, &code);
  CloseHandle(it->process);
  WaitForSingleObject(it->log, 1000);
  CloseHandle(it->log);
  return code;
}

static void supervise(void) {
  /* What the program has started ends with it, and all of it with the host. */
  HANDLE job = CreateJobObjectW(NULL, NULL);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  wchar_t ready[LONGEST];
  ready_file(ready);
  for (unsigned pause = 0;;) {
    struct program it;
    ULONGLONG since = GetTickCount64();
    if (start_program(&it, job)) {
      HANDLE either[] = {stop_event, it.process};
      DWORD which = WaitForMultipleObjects(2, either, FALSE, INFINITE);
      DWORD code = end_program(&it);
      DeleteFileW(ready);
      if (which == WAIT_OBJECT_0) break;
      say("the program ended by itself, and is started again", code);
    }
    if (GetTickCount64() - since > LONG_ENOUGH_MILLIS) pause = 0;
    if (WaitForSingleObject(stop_event, PAUSES[pause]) == WAIT_OBJECT_0) break;
    if (pause + 1 < sizeof PAUSES / sizeof *PAUSES) pause++;
  }
  CloseHandle(job);
}

static void find_places(void) {
  wchar_t base[LONGEST], folder[LONGEST];
  GetModuleFileNameW(NULL, here, LONGEST);
  *wcsrchr(here, L'\\') = 0;
  if (!GetEnvironmentVariableW(L"ProgramData", base, LONGEST)) wcscpy(base, L"C:\\ProgramData");
  path(home, base, NAME);
  CreateDirectoryW(home, NULL);
  path(folder, home, L"data");
  CreateDirectoryW(folder, NULL);
  path(folder, home, L"logs");
  CreateDirectoryW(folder, NULL);
}

/* ---- The service ---- */

static void report(DWORD state) {
  SERVICE_STATUS status = {0};
  status.dwServiceType = SERVICE_WIN32_OWN_PROCESS;
  status.dwCurrentState = state;
  status.dwControlsAccepted = state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_PRESHUTDOWN : 0;
  status.dwWaitHint = state == SERVICE_STOP_PENDING ? STOP_MILLIS + 5000 : 0;
  SetServiceStatus(status_handle, &status);
}

static DWORD WINAPI on_control(DWORD control, DWORD type, void *event, void *context) {
  (void)type, (void)event, (void)context;
  if (control == SERVICE_CONTROL_INTERROGATE) return NO_ERROR;
  if (control != SERVICE_CONTROL_STOP && control != SERVICE_CONTROL_PRESHUTDOWN) return ERROR_CALL_NOT_IMPLEMENTED;
  report(SERVICE_STOP_PENDING);
  SetEvent(stop_event);
  return NO_ERROR;
}

static void begin(void) {
  InitializeCriticalSection(&log_lock);
  stop_event = CreateEventW(NULL, TRUE, FALSE, NULL);
  find_places();
  open_log();
}

static void WINAPI service_main(DWORD count, wchar_t **words) {
  (void)count, (void)words;
  status_handle = RegisterServiceCtrlHandlerExW(NAME, on_control, NULL);
  begin();
  report(SERVICE_RUNNING);
  supervise();
  report(SERVICE_STOPPED);
}

static BOOL WINAPI on_console(DWORD event) {
  (void)event;
  SetEvent(stop_event);
  return TRUE;
}

static int run(void) {
  begin();
  SetConsoleCtrlHandler(on_console, TRUE);
  supervise();
  return 0;
}

/* ---- What the set-up asks for ---- */

static int failed(const wchar_t *what) {
  fwprintf(stderr, L"%ls: error %lu\n", what, GetLastError());
  return 1;
}

static SC_HANDLE open_service(DWORD rights) {
  SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
  return manager ? OpenServiceW(manager, NAME, rights) : NULL;
}

static int install(void) {
  wchar_t me[LONGEST + 32];
  find_places();
  _snwprintf(me, LONGEST + 32, L"\"%ls\\institute-host.exe\"", here);
  SC_HANDLE service = open_service(SERVICE_ALL_ACCESS);
  if (service) {
    if (!ChangeServiceConfigW(service, SERVICE_WIN32_OWN_PROCESS, SERVICE_AUTO_START, SERVICE_ERROR_NORMAL, me, NULL, NULL, L"Tcpip\0", ACCOUNT, NULL, NAME))
      return failed(L"ChangeServiceConfig");
  } else {
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CREATE_SERVICE);
    service = CreateServiceW(manager, NAME, NAME, SERVICE_ALL_ACCESS, SERVICE_WIN32_OWN_PROCESS, SERVICE_AUTO_START, SERVICE_ERROR_NORMAL, me, NULL, NULL, L"Tcpip\0", ACCOUNT, NULL);
    if (!service) return failed(L"CreateService");
  }
  SC_ACTION again[] = {{SC_ACTION_RESTART, 5000}, {SC_ACTION_RESTART, 5000}, {SC_ACTION_RESTART, 60000}};
  SERVICE_FAILURE_ACTIONSW failure = {86400, NULL, NULL, 3, again};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_FAILURE_ACTIONS, &failure);
  SERVICE_DESCRIPTIONW about = {L"People, groups, attendance, fees and files of this institute."};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_DESCRIPTION, &about);
  SERVICE_PRESHUTDOWN_INFO preshutdown = {STOP_MILLIS + 5000};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_PRESHUTDOWN_INFO, &preshutdown);
  /* Of the rights that services have otherwise, such as to act as those who connect, it keeps the one to pass through folders. */
  SERVICE_REQUIRED_PRIVILEGES_INFOW rights = {L"SeChangeNotifyPrivilege\0"};
  ChangeServiceConfig2W(service, SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO, &rights);
  return 0;
}

static BOOL is_in_state(SC_HANDLE service, DWORD state) {
  SERVICE_STATUS status;
  return QueryServiceStatus(service, &status) && status.dwCurrentState == state;
}

static int start(DWORD seconds) {
  wchar_t ready[LONGEST];
  SC_HANDLE service = NULL;
  find_places();
  ready_file(ready);
  DeleteFileW(ready);
  /* A machine that is busy with other services may refuse for a while, or not know yet of one that was just made. */
  BOOL is_started = FALSE;
  for (DWORD waited = 0; waited < seconds * 1000; waited += 200) {
    if (!service) service = open_service(SERVICE_START);
    if (service && !is_started) is_started = StartServiceW(service, 0, NULL) || GetLastError() == ERROR_SERVICE_ALREADY_RUNNING;
    if (is_started && GetFileAttributesW(ready) != INVALID_FILE_ATTRIBUTES) return 0;
    Sleep(200);
  }
  return is_started ? 2 : failed(L"StartService");
}

static int stop(SC_HANDLE service) {
  SERVICE_STATUS status;
  if (!service) return 0;
  ControlService(service, SERVICE_CONTROL_STOP, &status);
  for (DWORD waited = 0; waited < STOP_MILLIS + 15000; waited += 100) {
    if (is_in_state(service, SERVICE_STOPPED)) return 0;
    Sleep(100);
  }
  return failed(L"The service does not stop");
}

static int uninstall(void) {
  SC_HANDLE service = open_service(SERVICE_ALL_ACCESS);
  if (!service) return 0;
  int code = stop(service);
  return DeleteService(service) ? code : failed(L"DeleteService");
}

int wmain(int count, wchar_t **words) {
  const wchar_t *word = count > 1 ? words[1] : L"";
  if (!wcscmp(word, L"install")) return install();
  if (!wcscmp(word, L"start")) return start(count > 2 ? wcstoul(words[2], NULL, 10) : 120);
  if (!wcscmp(word, L"stop")) return stop(open_service(SERVICE_STOP | SERVICE_QUERY_STATUS));
  if (!wcscmp(word, L"uninstall")) return uninstall();
  if (!wcscmp(word, L"run")) return run();
  SERVICE_TABLE_ENTRYW table[] = {{(wchar_t *)NAME, service_main}, {NULL, NULL}};
  return StartServiceCtrlDispatcherW(table) ? 0 : failed(L"This is run by Windows as a service");
}
