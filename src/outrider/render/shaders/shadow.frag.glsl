in vec2 v_uv;
flat in vec4 v_colour;

void main() {
#ifdef CUT_OUT
    if (sampled(v_uv).a * v_colour.a < CUT) discard;
#endif
}
