import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

// The package is CommonJS, so its default export is nested one level deeper.
const addFormats = addFormatsModule.default

export interface Answer {
  status: number
  body: unknown
  contentType: string | undefined
}

/** Validates every answer of the test suite against the OpenAPI document that the same server publishes. */
export function createOpenApiCheck(document: {
  paths?: Record<string, Record<string, { responses?: object }>>
}): (method: string, path: string, answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addFormat('decimal', true)
  ajv.addSchema(document, 'openapi')
  const templates = Object.keys(document.paths ?? {}).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  return (method, path, answer) => {
    const matching = templates.filter(({ pattern }) => pattern.test(path))
    const template = (matching.find(({ template: exact }) => exact === path) ?? matching[0])?.template
    const operation = template === undefined ? undefined : document.paths?.[template]?.[method.toLowerCase()]
    if (template === undefined || !operation) return
    const responses: Record<string, { $ref?: string }> = { ...operation.responses }
    const response = responses[String(answer.status)]
    if (!response) throw new Error(`${method} ${path} answered ${answer.status}, which OpenAPI does not list`)
    const pointer = response.$ref?.split('/').slice(1) ?? [
      'paths',
      template,
      method.toLowerCase(),
      'responses',
      String(answer.status),
    ]
    const schema =
      validatorAt(ajv, [...pointer, 'content', 'application/json', 'schema']) ??
      validatorAt(ajv, [...pointer, 'content', 'text/csv', 'schema'])
    // These answers have no body to validate.
    if (answer.status === 204 || method.toUpperCase() === 'HEAD') return
    if (!schema) throw new Error(`${method} ${path} ${answer.status}: OpenAPI has no schema`)
    if (!schema(answer.body))
      throw new Error(
        `${method} ${path} ${answer.status} does not fit OpenAPI: ${ajv.errorsText(schema.errors)}`,
      )
  }
}

const validatorAt = (ajv: Ajv2020, pointer: string[]): ValidateFunction | undefined =>
  ajv.getSchema(
    `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
  )
