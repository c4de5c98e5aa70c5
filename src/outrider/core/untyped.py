"""Type aliases for values of libraries without type annotations."""

from typing import Any, TypeAlias

Llvm: TypeAlias = Any  # llvmlite and numba's internals: builders, values, signatures, types
RosNode: TypeAlias = Any  # rclpy
RosEntity: TypeAlias = Any  # rclpy: publishers, subscriptions, services, timers
GlObject: TypeAlias = Any  # moderngl: contexts, programs, buffers, textures, vertex arrays
