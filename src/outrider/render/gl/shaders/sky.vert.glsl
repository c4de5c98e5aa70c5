out vec3 v_ray;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    v_ray = (world_from_clip * vec4(corner, 0.0, 1.0)).xyz;
    bring_film();
}
