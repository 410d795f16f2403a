/** What clients rely on, one line for each promise, such as `payments.get (GET /v1/payments/{payment_id}) 200.amount`. */
interface Promises {
  kept: Set<string>
  /** Request fields that a caller must send. */
  required: Set<string>
}

type Json = Record<string, unknown>

/** What the newer document breaks: a promise that is gone, or a request field that callers now have to send. */
export function findBreaks(before: unknown, after: unknown): string[] {
  const [old, current] = [promisesOf(objectOf(before)), promisesOf(objectOf(after))]
  const gone = [...old.kept].filter((line) => !current.kept.has(line)).map((line) => `${line} is gone`)
  // A field that is required inside of a new object or a new operation breaks nobody.
  const demanded = [...current.required].filter(
    (line) => !old.required.has(line) && old.kept.has(parentOf(line)),
  )
  return [...gone, ...demanded.map((line) => `${line} is required`)]
}

/** The object of a field, or the operation of a parameter. */
const parentOf = (line: string): string =>
  line.slice(0, Math.max(line.lastIndexOf('.'), line.lastIndexOf(' ')))

function promisesOf(document: Json): Promises {
  const promises: Promises = { kept: new Set(), required: new Set() }
  for (const [path, methods] of entriesOf(document['paths']))
    for (const [method, operation] of entriesOf(methods)) {
      const name = `${String(operation['operationId'])} (${method.toUpperCase()} ${path})`
      addOperation(document, promises, name, operation)
    }
  for (const [eventType, { post }] of entriesOf(document['webhooks']))
    addBody(document, promises, { line: `event ${eventType}`, body: objectOf(post)['requestBody'] })
  return promises
}

function addOperation(document: Json, promises: Promises, name: string, operation: Json): void {
  promises.kept.add(name)
  for (const one of listOf(operation['parameters'])) {
    const { name: parameter, required, schema } = resolve(document, one)
    const line = `${name} ${String(parameter)}`
    if (required === true) promises.required.add(line)
    addSchema(document, promises, { line, schema, isRequest: true, seen: [] })
  }
  if (operation['requestBody'] !== undefined)
    addBody(document, promises, { line: `${name} request`, body: operation['requestBody'], isRequest: true })
  for (const [status, response] of entriesOf(operation['responses']))
    if (status.startsWith('2'))
      addBody(document, promises, { line: `${name} ${status}`, body: resolve(document, response) })
}

interface Body {
  line: string
  body: unknown
  isRequest?: boolean
}

function addBody(document: Json, promises: Promises, { line, body, isRequest = false }: Body): void {
  promises.kept.add(line)
  for (const [, { schema }] of entriesOf(objectOf(body)['content']))
    addSchema(document, promises, { line, schema, isRequest, seen: [] })
}

interface Place {
  line: string
  schema: unknown
  isRequest: boolean
  /** The references on the way here, because schemas may be recursive. */
  seen: readonly unknown[]
}

/** Adds the fields and enum values at any depth; those of alternatives count together. */
function addSchema(document: Json, promises: Promises, place: Place): void {
  const { line, isRequest } = place
  const { $ref } = objectOf(place.schema)
  if (place.seen.includes($ref)) return
  const seen = $ref === undefined ? place.seen : [...place.seen, $ref]
  const schema = resolve(document, place.schema)
  promises.kept.add(line)
  for (const value of listOf(schema['enum'])) promises.kept.add(`${line}=${String(value)}`)
  if (schema['const'] !== undefined) promises.kept.add(`${line}=${JSON.stringify(schema['const'])}`)
  for (const [name, property] of entriesOf(schema['properties'])) {
    const inner = `${line}.${name}`
    if (isRequest && listOf(schema['required']).includes(name)) promises.required.add(inner)
    addSchema(document, promises, { line: inner, schema: property, isRequest, seen })
  }
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))
  for (const inner of [...alternatives, schema['items'], schema['additionalProperties']])
    if (inner !== undefined) addSchema(document, promises, { line, schema: inner, isRequest, seen })
}

function resolve(document: Json, value: unknown): Json {
  const { $ref } = objectOf(value)
  if (typeof $ref !== 'string') return objectOf(value)
  return $ref
    .split('/')
    .slice(1)
    .reduce((found, part) => objectOf(found[part]), document)
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {} // any object can be read by name
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const entriesOf = (value: unknown): [string, Json][] =>
  Object.entries(objectOf(value)).map(([key, inner]) => [key, objectOf(inner)])
