import { docstring, indented, isName, literal, quoted, union } from './print-python-layout.ts'
import { typeName, type Side } from './print-types.ts'
import type { ApiType, Field } from './types.ts'

/** Where a type stands: what a type without a name is called, and how much of the line is taken. */
interface Place {
  readonly side: Side
  readonly hint: string
  readonly before?: number
  /** Inside a class with a method `list`, that name means the method. */
  readonly listName?: string
}

/** Declares types in the order in which Python needs them: each before those that refer to it. */
export class PythonTypes {
  readonly #declarations: string[] = []
  readonly #names = new Map<string, string>()
  readonly #named: Readonly<Record<Side, ReadonlyMap<string, ApiType>>>

  constructor(named: Readonly<Record<Side, ReadonlyMap<string, ApiType>>>) {
    this.#named = named
  }

  get text(): string {
    return this.#declarations.join('\n\n')
  }

  get names(): string[] {
    return [...this.#names.keys()]
  }

  /** Declares a type under a name and returns the name. */
  declare(name: string, type: ApiType, side: Side, description?: string): string {
    const shape = JSON.stringify([type, side])
    if (this.#names.get(name) === shape) return name
    if (this.#names.has(name)) return this.declare(`${name}_`, type, side, description)
    this.#names.set(name, shape)
    const declaration =
      type.kind === 'object'
        ? this.#typedDict(name, type.fields, { side, description })
        : `${name} = ${this.expression(type, { side, hint: `${name}Data`, before: name.length + 3 })}\n`
    this.#declarations.push(declaration)
    return name
  }

  /** The type as it is written in an annotation; what has no name in the document gets one. */
  expression(type: ApiType, place: Place): string {
    const { side, hint } = place
    switch (type.kind) {
      case 'text':
        return 'str'
      case 'decimal':
        return side === 'input' ? 'DecimalInput' : 'Decimal'
      case 'integer':
        return 'int'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'unknown':
        return 'Any'
      case 'literal':
        return `Literal[${valueOf(type.value)}]`
      case 'choice': {
        const values = literal(type.values.map(quoted))
        return side === 'output' ? union([values, 'str'], place.before ?? 0) : values
      }
      case 'list': {
        const list = side === 'input' ? 'Sequence' : (place.listName ?? 'list')
        return `${list}[${this.expression(type.of, { ...place, hint: `${hint}Item` })}]`
      }
      case 'map': {
        const map = side === 'input' ? 'Mapping' : 'dict'
        return `${map}[str, ${this.expression(type.of, { ...place, hint: `${hint}Value` })}]`
      }
      case 'object':
        return this.declare(hint, type, side)
      case 'named':
        return this.#refer(type.name, side)
      case 'union':
        return this.#union(type.variants, place)
    }
  }

  #refer(name: string, side: Side): string {
    const type = this.#named[side].get(name) ?? { kind: 'unknown' }
    return this.declare(typeName(name), type, side)
  }

  /** A field that only another variant has is readable as None, so that code can tell the variants apart by it. */
  #union(variants: readonly ApiType[], place: Place): string {
    const objects = variants.filter((one) => one.kind === 'object')
    const names = new Set(objects.flatMap(({ fields }) => fields.map(({ name }) => name)))
    const parts = variants.flatMap((variant) => {
      if (variant.kind === 'choice' && place.side === 'output')
        return [literal(variant.values.map(quoted)), 'str']
      if (variant.kind !== 'object') return [this.expression(variant, { ...place, before: 0 })]
      const own = new Set(variant.fields.map(({ name }) => name))
      const absent = place.side === 'input' ? [] : [...names.difference(own)].map(absentField)
      const hint = objects.length === 1 ? place.hint : `${place.hint}${objects.indexOf(variant) + 1}`
      return [this.declare(hint, { kind: 'object', fields: [...variant.fields, ...absent] }, place.side)]
    })
    const isNone = (part: string): boolean => part === 'None'
    const ordered = [...parts.filter((part) => !isNone(part)), ...parts.filter(isNone)]
    return union([...new Set(ordered)], place.before ?? 0)
  }

  #typedDict(
    name: string,
    fields: readonly Field[],
    { side, description }: { side: Side; description: string | undefined },
  ): string {
    const annotation = (field: Field): string => {
      const before = field.name.length + (field.isRequired ? 6 : 19)
      const hint = `${name}${capitalised(field.name)}`
      const printed = this.expression(field.type, { side, hint, before })
      return field.isRequired ? printed : `NotRequired[${withoutParentheses(printed)}]`
    }
    if (!fields.every((field) => isName(field.name))) {
      const entries = fields.map((field) => indented(`${quoted(field.name)}: ${annotation(field)},\n`, 2))
      return `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${entries.join('')}    },\n)\n`
    }
    const lines = fields.map(
      (field) => `${field.name}: ${annotation(field)}\n${docstring(1, field.description)}`,
    )
    const comment = docstring(1, description)
    const body = `${comment === '' ? '' : `${comment}\n`}${lines.join('')}`
    return `class ${name}(TypedDict):\n${indented(body === '' ? 'pass\n' : body)}`
  }
}

export const capitalised = (text: string): string =>
  text.replaceAll(/(?:^|_)([A-Za-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

const withoutParentheses = (text: string): string =>
  text.startsWith('(\n') && text.endsWith('\n)') ? text.slice(1, -1) : text

const absentField = (name: string): Field => ({
  name,
  type: { kind: 'null' },
  isRequired: false,
  description: undefined,
})

function valueOf(value: string | number | boolean): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return String(value)
}
