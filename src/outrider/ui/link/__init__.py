"""The connection between simulation and browsers: server, stream and access control."""
