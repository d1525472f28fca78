@echo off
rem Installs Sabtui from the wheels beside this script, without internet: install.bat [FOLDER]
setlocal
set "wheels=%~dp0wheels"
set "folder=%~1"
if "%folder%"=="" set "folder=%USERPROFILE%\sabtui"
set "python="
call :try 314 py -3.14
call :try 313 py -3.13
call :try 312 py -3.12
call :try 311 py -3.11
call :try 313 python
call :try 312 python
call :try 311 python
if not defined python (
  echo No suitable Python found: README.txt says which ones this stick is for.
  exit /b 1
)
for %%f in ("%wheels%\pip-*.whl") do set "pip=%%f"
%python% -m venv --without-pip "%folder%" || exit /b 1
"%folder%\Scripts\python.exe" "%pip%\pip" --isolated install --quiet --no-index ^
  --no-warn-script-location --upgrade --find-links "%wheels%" sabtui[ssh,web] || exit /b 1
echo Sabtui is installed. Play: "%folder%\Scripts\sabtui"
exit /b 0

:try
if defined python exit /b
if not exist "%wheels%\*-cp%1-cp%1-*.whl" exit /b
%2 %3 -c "import sys, venv; sys.exit('%%d%%d' %% sys.version_info[:2] != '%1')" >nul 2>nul || exit /b
set "python=%2"
if not "%3"=="" set "python=%2 %3"
exit /b
