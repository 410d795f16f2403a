import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { z } from 'zod'
import { decodeForm } from '../kit/form-body.ts'
import type { HttpCall } from '../kit/http-client.ts'
import { isRecord, type JsonRecord } from '../kit/json-record.ts'
import { closedSchema, dereference, schemaDocument, specId } from './openapi-schema.ts'

// The package is CommonJS, so its default export is nested one level deeper.
const addFormats = addFormatsModule.default

const formType = 'application/x-www-form-urlencoded'
const jsonType = 'application/json'

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header', 'cookie']),
  required: z.boolean().default(false),
  schema: z.unknown(),
})
const bodySchema = z.object({
  required: z.boolean().default(false),
  content: z.record(z.string(), z.object({ schema: z.unknown() })),
})

interface Operation {
  name: string
  parameters: z.infer<typeof parameterSchema>[]
  body: z.infer<typeof bodySchema> | undefined
}

/** Text from a form, a path or a query is coerced to the type in its schema; JSON is not. */
type Reading = 'text' | 'json'
type Validate = (schema: unknown, data: unknown, reading: Reading) => string[]

type RequestValidator = (call: HttpCall, target: string) => string[]

export function createRequestValidator(document: JsonRecord): RequestValidator {
  const validate = createSchemaValidator(document)
  const operations = operationsOf(document)
  return (call, target) => {
    const url = new URL(target, 'http://provider')
    const found = operations
      .map((one) => ({ ...one, match: one.method === call.method ? one.pattern.exec(url.pathname) : null }))
      .find(({ match }) => match !== null)
    if (!found) return [`${call.method} ${url.pathname} is not in the file`]
    const operation = found.read()
    const pathValues = found.names.map((name, index) => [name, found.match?.[index + 1]] as const)
    const problems = [
      ...valueProblems(validate, operation, 'path', new Map(pathValues)),
      ...valueProblems(validate, operation, 'query', queryValues(url)),
      ...unknownQueryProblems(operation, url),
      ...valueProblems(validate, operation, 'header', headerValues(call, operation)),
      ...bodyProblems(validate, operation, call),
    ]
    return problems.map((problem) => `${operation.name} ${problem}`)
  }
}

function createSchemaValidator(document: JsonRecord): Validate {
  const schemas = schemaDocument(document)
  const create = (coerceTypes: boolean): Ajv2020 => {
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      logger: false,
      unicodeRegExp: false,
      coerceTypes,
    })
    addFormats(ajv)
    return ajv.addSchema(schemas, specId)
  }
  const validators = { text: create(true), json: create(false) }
  const converted = new WeakMap<object, object>()
  return (schema, data, reading) => {
    if (!isRecord(schema)) return []
    const known = converted.get(schema) ?? rootSchema(schema)
    converted.set(schema, known)
    const validator = validators[reading].compile(known)
    return validator({ value: data }) ? [] : (validator.errors ?? []).map(describeError)
  }
}

/** The value is wrapped in a field, because a value at the root cannot be coerced. */
const rootSchema = (schema: JsonRecord): object => ({
  type: 'object',
  properties: { value: closedSchema(schema) },
})

function describeError({ instancePath, message, params }: ErrorObject): string {
  const detail = params['unevaluatedProperty'] ?? params['additionalProperty'] ?? params['allowedValues']
  const where = instancePath.replace(/^\/value/, '')
  return `${where}: ${message ?? 'does not fit'}${detail === undefined ? '' : ` ${JSON.stringify(detail)}`}`
}

interface OperationEntry {
  method: string
  pattern: RegExp
  names: string[]
  read(): Operation
}

/** Paths with fewer parameters come first: `/transfer/bulk` before `/transfer/{code}`. */
function operationsOf(document: JsonRecord): OperationEntry[] {
  const paths = isRecord(document['paths']) ? document['paths'] : {}
  const entries = Object.entries(paths).flatMap(([template, item]) =>
    Object.keys(isRecord(item) ? item : {}).map((method) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
      names: [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? ''),
      read: () => readOperation(document, template, method),
    })),
  )
  return entries.toSorted((one, other) => one.names.length - other.names.length)
}

function readOperation(document: JsonRecord, template: string, method: string): Operation {
  const paths = isRecord(document['paths']) ? document['paths'] : {}
  const item = paths[template]
  const operation = isRecord(item) ? item[method] : undefined
  const lists = [item, operation].map((one) => (isRecord(one) ? one['parameters'] : undefined))
  const parameters = lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  const body = isRecord(operation) ? operation['requestBody'] : undefined
  return {
    name: `${method.toUpperCase()} ${template}`,
    parameters: parameters.map((one) => parameterSchema.parse(dereference(document, one))),
    body: body === undefined ? undefined : bodySchema.parse(dereference(document, body)),
  }
}

type Values = ReadonlyMap<string, unknown>

function valueProblems(
  validate: Validate,
  operation: Operation,
  place: 'path' | 'query' | 'header',
  values: Values,
): string[] {
  return operation.parameters
    .filter((parameter) => parameter.in === place)
    .flatMap(({ name, required, schema }) => {
      const value = values.get(name)
      if (value === undefined) return required ? [`${place}/${name}: is missing`] : []
      return validate(schema, value, 'text').map((problem) => `${place}/${name}${problem}`)
    })
}

const queryValues = (url: URL): Values => new Map(Object.entries(decodeForm(url.search) ?? {}))

function unknownQueryProblems(operation: Operation, url: URL): string[] {
  const known = new Set(operation.parameters.filter((one) => one.in === 'query').map((one) => one.name))
  return [...queryValues(url).keys()]
    .filter((name) => !known.has(name))
    .map((name) => `query/${name}: is not in the file`)
}

function headerValues(call: HttpCall, { parameters }: Operation): Values {
  const sent = new Map(Object.entries(call.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  return new Map(parameters.map(({ name }) => [name, sent.get(name.toLowerCase())]))
}

function bodyProblems(validate: Validate, { body }: Operation, call: HttpCall): string[] {
  if (call.body === undefined) return body?.required === true ? ['body: is missing'] : []
  if (body === undefined) return ['body: the file has none']
  const header = Object.entries(call.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')
  const mediaType = header?.[1].split(';')[0]?.trim().toLowerCase() ?? 'none'
  const content = Object.entries(body.content).find(([type]) => type.split(';')[0]?.trim() === mediaType)
  if (!content) return [`body: is ${mediaType}, the file has ${Object.keys(body.content).join(', ')}`]
  const data = readBody(call.body, mediaType)
  if (data === undefined) return [`body: cannot be read as ${mediaType}`]
  const reading = mediaType === formType ? 'text' : 'json'
  return validate(content[1].schema, data, reading).map((problem) => `body${problem}`)
}

function readBody(body: string, mediaType: string): unknown {
  if (mediaType === formType) return decodeForm(body)
  if (mediaType !== jsonType) return body
  try {
    const data: unknown = JSON.parse(body)
    return data
  } catch {
    return undefined
  }
}
