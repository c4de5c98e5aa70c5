// What the film of a shot does, brought by the corners of triangles: to read the block in every
// pixel costs a processor far more.
#ifdef FINISH
flat out vec4 v_gains;  // exposure times balance, noise
flat out uint v_key;    // of the picture's noise
flat out float v_left;  // column where the picture begins

void bring_film() {
    v_gains = vec4(gains.rgb, film.x);
    v_key = keys.x;
    v_left = float(keys.z);
}
#else
void bring_film() {}
#endif
