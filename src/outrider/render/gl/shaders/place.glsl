#ifdef PLACES
in vec3 v_place;
#endif
