in vec3 position;
in vec4 normal;
in vec2 uv;
in vec4 colour;
in int label;
uniform mat4 model;

out vec3 v_place;
out vec3 v_normal;
out vec2 v_uv;
flat out vec4 v_colour;
flat out int v_label;

void main() {
    vec4 place = model * vec4(position, 1.0);
    gl_Position = clip_from_world * place;
    v_place = place.xyz;
    v_normal = mat3(model) * normal.xyz;
    v_uv = uv;
    v_colour = vec4(colour.rgb * colour.rgb, colour.a);
    v_label = label;
}
