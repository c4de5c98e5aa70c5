"""The memory layout of message type descriptions in the C libraries under rclpy (Jazzy)."""

import ctypes
from ctypes import c_bool, c_char_p, c_size_t, c_uint8, c_uint32, c_void_p

FIND = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_char_p)  # (handle, identifier) -> handle
ASK = ctypes.CFUNCTYPE(c_void_p, c_void_p)  # (handle) -> hash, description or source
MOST = ctypes.CFUNCTYPE(c_size_t, ctypes.POINTER(ctypes.c_char))  # (bounds) -> bytes


class Hash(ctypes.Structure):
    """The RIHS01 hash of a type."""

    _fields_ = [("version", c_uint8), ("value", c_uint8 * 32)]


class TypeSupport(ctypes.Structure):
    """``rosidl_message_type_support_t``."""

    _fields_ = [
        ("identifier", c_char_p),
        ("data", c_void_p),
        ("find", FIND),
        ("hash", ASK),
        ("description", ASK),
        ("sources", ASK),
    ]


class Callbacks(ctypes.Structure):
    """``message_type_support_callbacks_t`` of Fast DDS."""

    _fields_ = [
        ("namespace", c_char_p),
        ("name", c_char_p),
        ("serialize", c_void_p),
        ("deserialize", c_void_p),
        ("size", c_void_p),
        ("most", MOST),
        ("key", c_void_p),
    ]


class MessageMember(ctypes.Structure):
    """``MessageMember`` of the introspection type support."""

    _fields_ = [
        ("name", c_char_p),
        ("kind", c_uint8),
        ("string_bound", c_size_t),
        ("message", c_void_p),
        ("is_key", c_bool),
        ("is_array", c_bool),
        ("count", c_size_t),
        ("is_bounded", c_bool),
        ("offset", c_uint32),
        ("default", c_void_p),
        ("functions", c_void_p * 6),
    ]


class MessageMembers(ctypes.Structure):
    """``MessageMembers`` of the introspection type support."""

    _fields_ = [
        ("namespace", c_char_p),
        ("name", c_char_p),
        ("count", c_uint32),
        ("size", c_size_t),
        ("has_key", c_bool),
        ("members", c_void_p),
        ("initialise", c_void_p),
        ("finish", c_void_p),
    ]
