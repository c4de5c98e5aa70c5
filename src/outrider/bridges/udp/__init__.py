"""The UDP Bridge of Sobczak et al.: messages as datagrams, large ones in parts."""

PUBLIC = ("bridge", "client", "header", "reassembly", "relay", "wire")
