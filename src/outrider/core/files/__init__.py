"""Files: read and written in one piece, YAML, scratch folders, what lies in the current one."""

PUBLIC = (
    "atomic_file",
    "folder_settings",
    "package_files",
    "scratch",
    "text_file",
    "yaml_file",
)
