invariant gl_Position;  // leaves are drawn twice

in vec3 position;
in vec4 normal;
in vec2 uv;
in vec4 colour;
in int label;
uniform mat4 model;
#ifdef ROLLED
uniform mat4 lit_model;  // when its shadow was drawn
#endif
#ifdef DETAIL
uniform vec2 detail_repeat;
flat out vec2 v_repeat;
#endif

#ifdef RELIEF
uniform float relief_height;
out vec2 v_place;
flat out float v_relief;
#endif
#ifdef UNEVEN
uniform float relief_row;
flat out vec4 v_pinhole;
flat out float v_row;
#endif
#ifdef POSITIONS
out vec3 v_position;
#endif
#ifdef SHADOWS
out vec3 v_shadow[SHADOWS];
#endif
out vec3 v_normal;
#if defined(CUT_OUT) && defined(SAMPLES)
sample out vec2 v_uv;
#else
out vec2 v_uv;
#endif
flat out vec4 v_colour;
flat out int v_label;

void main() {
    vec4 world_position = model * vec4(position, 1.0);
    gl_Position = clip_from_world * world_position;
#ifdef POSITIONS
    v_position = world_position.xyz;
#endif
#ifdef SHADOWS
#ifdef ROLLED
    vec4 lit_position = lit_model * vec4(position, 1.0);
#else
    vec4 lit_position = world_position;
#endif
    for (int n = 0; n < SHADOWS; ++n) {
        v_shadow[n] = (shadow_frame[n] * lit_position).xyz;
        v_shadow[n].z -= gl_Position.w * eye.w * shadow_frame[n][0].w;
    }
#endif
    v_normal = mat3(model) * normal.xyz;
    v_uv = uv;
    v_colour = vec4(colour.rgb * colour.rgb, colour.a);
    v_label = label;
#ifdef DETAIL
    v_repeat = detail_repeat;
#endif
#ifdef RELIEF
    v_place = world_position.xy * (1.0 / RELIEF_SIDE);
    v_relief = relief_height;
#endif
#ifdef UNEVEN
    v_pinhole = pinhole;
    v_row = relief_row;
#endif
    bring_film();
}
