#ifdef POSITIONS
in vec3 v_position;
#endif
