"""What each programming language calls its definitions: the names of nodes in its tree-sitter grammar."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

NONE: frozenset[str] = frozenset()
COMMENTS = frozenset({"comment", "line_comment", "block_comment", "marginalia"})
# What gives a value to a name, in the grammars whose functions are values.
ASSIGNMENTS = frozenset(
    {
        "lexical_declaration",
        "variable_declaration",
        "assignment_expression",
        "field_definition",
        "public_field_definition",
    }
)
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function", "class"})


@dataclass(frozen=True, slots=True)
class Grammar:
    """The nodes of one language by what they are to a reader.

    `containers` are read member by member under their own heading, `types` as a whole under their own heading,
    `definitions` as a whole under the heading around them. `wrappers` stand around one of these and begin with it,
    `inner` ones around any number. `attached` belong to what follows: comments, decorators. `bodies` end a signature.
    `function_values` make a definition of what they are assigned to.
    """

    package: str
    attached: frozenset[str]
    definitions: frozenset[str]
    containers: frozenset[str] = NONE
    types: frozenset[str] = NONE
    wrappers: frozenset[str] = NONE
    inner: frozenset[str] = NONE
    imports: frozenset[str] = NONE
    bodies: frozenset[str] = NONE
    function_values: frozenset[str] = NONE
    entry: str = "language"
    separator: str = "."


_JAVASCRIPT = Grammar(
    "tree_sitter_javascript",
    attached=frozenset({"comment", "decorator"}),
    containers=frozenset({"class_declaration"}),
    definitions=frozenset({"function_declaration", "generator_function_declaration", "method_definition"}),
    wrappers=frozenset({"export_statement", "expression_statement"}),
    inner=frozenset({"class_body", "if_statement", "else_clause", "statement_block", "try_statement"}),
    imports=frozenset({"import_statement"}),
    function_values=_FUNCTION_VALUES,
)
_TYPESCRIPT = Grammar(
    "tree_sitter_typescript",
    entry="language_typescript",
    attached=_JAVASCRIPT.attached,
    containers=_JAVASCRIPT.containers | {"abstract_class_declaration", "internal_module", "module"},
    types=frozenset({"interface_declaration", "enum_declaration"}),
    definitions=_JAVASCRIPT.definitions
    | {"type_alias_declaration", "function_signature", "method_signature", "abstract_method_signature"},
    wrappers=_JAVASCRIPT.wrappers | {"ambient_declaration"},
    inner=_JAVASCRIPT.inner,
    imports=_JAVASCRIPT.imports | {"import_alias"},
    function_values=_FUNCTION_VALUES,
)
_TSX = replace(_TYPESCRIPT, entry="language_tsx")
_PYTHON = Grammar(
    "tree_sitter_python",
    attached=frozenset({"comment", "decorator"}),
    containers=frozenset({"class_definition"}),
    definitions=frozenset({"function_definition", "type_alias_statement"}),
    wrappers=frozenset({"decorated_definition"}),
    inner=frozenset(
        {"block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "finally_clause"}
    ),
    imports=frozenset({"import_statement", "import_from_statement", "future_import_statement"}),
)
_GO = Grammar(
    "tree_sitter_go",
    attached=frozenset({"comment"}),
    types=frozenset({"type_spec", "type_alias"}),
    definitions=frozenset({"function_declaration", "method_declaration"}),
    wrappers=frozenset({"type_declaration"}),
    imports=frozenset({"package_clause", "import_declaration"}),
)
_RUST = Grammar(
    "tree_sitter_rust",
    separator="::",
    attached=frozenset({"line_comment", "block_comment", "attribute_item"}),
    containers=frozenset({"impl_item", "trait_item", "mod_item"}),
    types=frozenset({"struct_item", "enum_item", "union_item"}),
    definitions=frozenset({"function_item", "function_signature_item", "type_item", "macro_definition"}),
    inner=frozenset({"declaration_list", "foreign_mod_item"}),
    imports=frozenset({"use_declaration", "extern_crate_declaration"}),
)
_JAVA = Grammar(
    "tree_sitter_java",
    attached=frozenset({"line_comment", "block_comment", "annotation", "marker_annotation"}),
    containers=frozenset(
        {
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
        }
    ),
    definitions=frozenset(
        {
            "method_declaration",
            "constructor_declaration",
            "compact_constructor_declaration",
            "static_initializer",
            "annotation_type_element_declaration",
        }
    ),
    inner=frozenset({"class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"}),
    imports=frozenset({"package_declaration", "import_declaration"}),
)
_PHP = Grammar(
    "tree_sitter_php",
    entry="language_php",
    separator="::",
    attached=frozenset({"comment", "attribute_list"}),
    containers=frozenset({"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"}),
    definitions=frozenset({"function_definition", "method_declaration"}),
    inner=frozenset(
        {
            "declaration_list",
            "enum_declaration_list",
            "compound_statement",
            "if_statement",
            "else_clause",
            "namespace_definition",
        }
    ),
    imports=frozenset({"php_tag", "namespace_definition", "namespace_use_declaration"}),
)
_SQL = Grammar(
    "tree_sitter_sql",
    attached=frozenset({"comment", "marginalia"}),
    types=frozenset({"create_table", "create_view", "create_materialized_view", "create_type"}),
    definitions=frozenset(
        {"create_function", "create_procedure", "create_trigger", "create_sequence", "create_policy"}
    ),
    wrappers=frozenset({"statement"}),
    inner=frozenset({"transaction", "block"}),
    bodies=frozenset({"function_body", "procedure_body", "column_definitions", "create_query", "enum_elements"}),
)

GRAMMARS: Mapping[str, Grammar] = {
    "python": _PYTHON,
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": _TSX,
    "go": _GO,
    "rust": _RUST,
    "java": _JAVA,
    "php": _PHP,
    "sql": _SQL,
}
