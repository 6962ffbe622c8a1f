; Installer for Windows, for Inno Setup 6:
;   iscc /DVersion=0.1.0 /DProgram=dist\fencewright /DOutput=dist packaging\application\windows\fencewright.iss
; Not run yet: the program does not start on Windows (docs/internals/building.md lists what is missing).

#ifndef Version
  #error Give the version: /DVersion=0.1.0
#endif
#ifndef Program
  #define Program "..\..\..\dist\fencewright"
#endif
#ifndef Output
  #define Output "..\..\..\dist"
#endif

[Setup]
AppId={{6E0B6F0C-5B1C-4B6D-9C53-0B6A6F4E7C11}
AppName=Fencewright
AppVersion={#Version}
AppVerName=Fencewright {#Version}
AppPublisher=Fencewright maintainers
VersionInfoVersion={#Version}
LicenseFile=..\..\..\LICENSE
DefaultDirName={autopf}\Fencewright
DefaultGroupName=Fencewright
DisableProgramGroupPage=yes
; Without an administrator, it installs for one user.
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir={#Output}
OutputBaseFilename=fencewright-{#Version}-windows-x86_64
SetupIconFile={#Output}\fencewright.ico
UninstallDisplayIcon={app}\fencewright.exe
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
ChangesAssociations=yes
ChangesEnvironment=yes

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"
Name: "german"; MessagesFile: "compiler:Languages\German.isl"

[Tasks]
Name: "path"; Description: "Add fencewright to PATH"
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; Files of an older version, which the new one may not have.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Program}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Fencewright"; Filename: "{app}\fencewright.exe"; Parameters: "desktop"
Name: "{autodesktop}\Fencewright"; Filename: "{app}\fencewright.exe"; Parameters: "desktop"; Tasks: desktopicon

[Registry]
; Offered under "Open with"; the present program for these files stays the default.
Root: HKA; Subkey: "Software\Classes\Fencewright.Map"; ValueType: string; ValueData: "Map for Fencewright"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Fencewright.Map\DefaultIcon"; ValueType: string; ValueData: "{app}\fencewright.exe,0"
Root: HKA; Subkey: "Software\Classes\Fencewright.Map\shell\open\command"; ValueType: string; ValueData: """{app}\fencewright.exe"" desktop ""%1"""
Root: HKA; Subkey: "Software\Classes\.geojson\OpenWithProgids"; ValueType: string; ValueName: "Fencewright.Map"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.gpx\OpenWithProgids"; ValueType: string; ValueName: "Fencewright.Map"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.kml\OpenWithProgids"; ValueType: string; ValueName: "Fencewright.Map"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.kmz\OpenWithProgids"; ValueType: string; ValueName: "Fencewright.Map"; Flags: uninsdeletevalue
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: IsNotInPath

[Code]
function IsNotInPath: Boolean;
var
  Path: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Path) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path, Ours: String;
begin
  Ours := ExpandConstant('{app}');
  if (Step = usPostUninstall) and RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
    if Pos(';' + Ours, Path) > 0 then
    begin
      StringChangeEx(Path, ';' + Ours, '', True);
      RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Path);
    end;
end;
