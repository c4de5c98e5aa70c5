in vec2 v_uv;
flat in vec4 v_colour;

void main() {
#ifdef CUT_OUT
    if (hole(v_uv, v_colour.a)) discard;
#endif
}
