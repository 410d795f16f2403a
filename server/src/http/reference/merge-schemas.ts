import { isDeepStrictEqual } from 'node:util'
import type { Document } from './document.ts'
import { mapObjects } from './map-objects.ts'

const schemaPath = '#/components/schemas/'
const twinEnding = 'Input'
const requestEnding = 'Request'

type Names = ReadonlyMap<string, string>

/**
 * The converter writes every named schema twice: `X` for responses and `XInput` for requests. One of them remains where
 * both agree or only one is used; where they differ, that of the requests is called `XRequest`.
 */
export function mergeSchemas(document: Document): Document {
  const merged = rename(document, equalTwins(document.components.schemas))
  const used = usedSchemas(merged)
  const kept = new Map(
    [...used].map((name) => {
      const plain = plainName(name)
      if (plain === undefined || !Object.hasOwn(merged.components.schemas, plain)) return [name, name]
      return [name, used.has(plain) ? plain + requestEnding : plain]
    }),
  )
  const entries = Object.entries(merged.components.schemas).filter(([name]) => used.has(name))
  const schemas = Object.fromEntries(entries.map(([name, schema]) => [kept.get(name) ?? name, schema]))
  return rename({ ...merged, components: { ...merged.components, schemas } }, kept)
}

const plainName = (name: string): string | undefined =>
  name.endsWith(twinEnding) ? name.slice(0, -twinEnding.length) : undefined

/** The identical schemas, each with the name that remains. Twins that refer to different ones differ as well. */
function equalTwins(schemas: Document['components']['schemas']): Names {
  let equal = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const plain = plainName(name)
    if (plain !== undefined && Object.hasOwn(schemas, plain)) equal.set(name, plain)
  }
  for (;;) {
    const names = equal
    const still = [...equal].filter(([name, plain]) =>
      isDeepStrictEqual(renameReferences(schemas[name], names), renameReferences(schemas[plain], names)),
    )
    if (still.length === equal.size) return equal
    equal = new Map(still)
  }
}

const rename = (document: Document, names: Names): Document =>
  renameReferences(document, names) as unknown as Document // only texts of references change

const renameReferences = (value: unknown, names: Names): unknown =>
  mapObjects(value, (object) => {
    const name = referencedName(object)
    const newName = name === undefined ? undefined : names.get(name)
    return newName === undefined ? object : { ...object, $ref: schemaPath + newName }
  })

function referencedName({ $ref }: Record<string, unknown>): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith(schemaPath) ? $ref.slice(schemaPath.length) : undefined
}

/** The schemas that a request, a response or a webhook reaches. */
function usedSchemas({ components, ...rest }: Document): ReadonlySet<string> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    mapObjects(value, (object) => {
      const name = referencedName(object)
      if (name !== undefined && !used.has(name)) {
        used.add(name)
        visit(components.schemas[name])
      }
      return object
    })
  }
  const { schemas: _, ...others } = components
  visit([rest, others])
  return used
}
