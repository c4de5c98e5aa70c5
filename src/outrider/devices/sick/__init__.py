"""SICK's LMS 200 on a serial line: telegrams, modes, scans."""

PUBLIC = ("scanner", "telegram")
