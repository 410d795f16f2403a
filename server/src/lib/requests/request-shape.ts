import { z } from 'zod'

/** The part of JSON Schema that describes a field of a request. */
export interface Shape {
  $ref?: string
  $defs?: Record<string, Shape>
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Shape>
  additionalProperties?: Shape | boolean
  items?: Shape | boolean
  prefixItems?: Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  example?: unknown
}

const shapes = new WeakMap<z.core.$ZodType, Shape>()

/** The JSON Schema of what a Zod schema accepts, made once for each. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const known = shapes.get(schema)
  if (known) return known
  // Zod types its JSON Schema by the standard, of which Shape lists the keywords that are read here.
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape
  shapes.set(schema, made)
  return made
}

const branches = new WeakMap<Shape, readonly Shape[]>()

/**
 * The shapes that a value may have: references are followed, and the branches of a union are returned one by one. They
 * are derived once for each shape, because every request is checked by them.
 */
export function branchesOf(shape: Shape | boolean | undefined, root: Shape): readonly Shape[] {
  if (shape === undefined || typeof shape === 'boolean') return []
  const known = branches.get(shape)
  if (known) return known
  const made = deriveBranches(shape, root)
  branches.set(shape, made)
  return made
}

function deriveBranches(shape: Shape, root: Shape): readonly Shape[] {
  if (shape.$ref !== undefined) {
    const named = shape.$ref === '#' ? root : root.$defs?.[shape.$ref.replace('#/$defs/', '')]
    return branchesOf(named, root).map((branch) => ({ example: shape.example, ...branch }))
  }
  const parts = shape.anyOf ?? shape.oneOf ?? shape.allOf
  return parts
    ? parts.flatMap((part) => branchesOf(part, root)).map((branch) => withExample(branch, shape))
    : [shape]
}

const withExample = (branch: Shape, { example }: Shape): Shape =>
  example === undefined || branch.type === 'null' ? branch : { ...branch, example }

/** The shapes of the field at a path. */
export function shapesAt(root: Shape, path: readonly PropertyKey[]): readonly Shape[] {
  let found: readonly Shape[] = branchesOf(root, root)
  for (const key of path) found = found.flatMap((shape) => branchesOf(fieldOf(shape, key), root))
  return found
}

function fieldOf(shape: Shape, key: PropertyKey): Shape | boolean | undefined {
  if (typeof key === 'number') return shape.prefixItems?.[key] ?? shape.items
  const name = String(key)
  return Object.hasOwn(shape.properties ?? {}, name) ? shape.properties?.[name] : shape.additionalProperties
}
