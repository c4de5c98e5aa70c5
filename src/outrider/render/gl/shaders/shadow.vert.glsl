in vec3 position;
in vec2 uv;
in vec4 colour;
uniform mat4 model;
uniform mat4 clip_from_light;
out vec2 v_uv;
flat out vec4 v_colour;

void main() {
    gl_Position = clip_from_light * (model * vec4(position, 1.0));
    v_uv = uv;
    v_colour = colour;
}
