"""FBX through Assimp: units, axes, nodes, looks, and files that are damaged."""

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.mesh.asset import read_mesh_asset

pytest.importorskip("assimp_py")

# a roof: a square of 2 x 1 m and a triangle on it, drawn in units, moved by 1 m along x
FBX = """; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}}
GlobalSettings:  {{
	Version: 1000
	Properties70:  {{
		P: "UpAxis", "int", "Integer", "",{up}
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",{front}
		P: "FrontAxisSign", "int", "Integer", "",{sign}
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",{unit}
	}}
}}
Objects:  {{
	Geometry: 1000, "Geometry::roof", "Mesh" {{
		Vertices: *15 {{
			a: {points}
		}}
		PolygonVertexIndex: *7 {{
			a: 0,1,2,-4,0,1,-5
		}}
		GeometryVersion: 124
		LayerElementMaterial: 0 {{
			Version: 101
			Name: ""
			MappingInformationType: "AllSame"
			ReferenceInformationType: "IndexToDirect"
			Materials: *1 {{
				a: 0
			}}
		}}
		Layer: 0 {{
			Version: 100
			LayerElement:  {{
				Type: "LayerElementMaterial"
				TypedIndex: 0
			}}
		}}
	}}
	Model: 2000, "Model::barn", "Mesh" {{
		Version: 232
		Properties70:  {{
			P: "Lcl Translation", "Lcl Translation", "", "A",{moved},0,0
		}}
	}}
	Material: 3000, "Material::red", "" {{
		Version: 102
		ShadingModel: "lambert"
		Properties70:  {{
			P: "DiffuseColor", "Color", "", "A",0.8,0.1,0.1
		}}
	}}
}}
Connections:  {{
	C: "OO",1000,2000
	C: "OO",2000,0
	C: "OO",3000,2000
}}
"""
ROOF = np.array([[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [0, 0, 3]])  # z up, m


def fbx(per_metre, *, z_up):
    """Return the roof drawn in a unit of which so many make a metre."""
    points = ROOF if z_up else ROOF[:, [0, 2, 1]] * [1, 1, -1]
    text = ",".join(f"{value:g}" for value in (points * per_metre).ravel())
    up, front, sign = (2, 1, -1) if z_up else (1, 2, 1)
    unit = 100 / per_metre  # in centimetres, as FBX has it
    return FBX.format(up=up, front=front, sign=sign, unit=unit, points=text, moved=per_metre)


@pytest.mark.parametrize("per_metre", [100, 1, 1000])
@pytest.mark.parametrize("z_up", [True, False])
def test_units_axes_and_nodes_are_applied(tmp_path, per_metre, z_up):
    path = tmp_path / "roof.fbx"
    path.write_text(fbx(per_metre, z_up=z_up))
    (part,) = read_mesh_asset(path).parts
    assert (part.name, len(part.mesh.faces)) == ("barn", 3)
    assert len(part.mesh.vertices) == 5  # corners of one place are one point
    wanted = ROOF + np.array([1.0, 0, 0])
    for corner in wanted:
        assert np.linalg.norm(part.mesh.vertices - corner, axis=1).min() < 1e-5
    assert part.colour == pytest.approx((0.8, 0.1, 0.1, 1.0))


def test_damaged_files_end_in_one_sentence(tmp_path):
    path, good = tmp_path / "roof.fbx", fbx(100, z_up=True).encode()
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(12):
        bad = bytearray(good)
        for _ in range(6):
            at = rng.integers(0, len(bad))
            bad[at : at + rng.integers(1, 40)] = rng.integers(0, 256, 3, dtype=np.uint8).tobytes()
        path.write_bytes(bytes(bad))
        try:
            read_mesh_asset(path)
        except FormatError as error:
            refused += "\n" not in str(error) and "roof.fbx" in str(error)
    assert refused > 2
