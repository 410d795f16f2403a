import type { ApiModel, ErrorModel } from './model.ts'
import { commentOf, printDeclaration } from './print-types.ts'

/** One interface for each event. */
export function printEvents({ events }: ApiModel): string {
  const declarations = events.map(
    ({ typeName, type, description }) =>
      `${commentOf(description)}${printDeclaration(typeName, type, 'output')}`,
  )
  const names = events.map(({ typeName }) => typeName)
  return `import type { Decimal } from '../decimal.ts'
import type { DecimalPaths } from '../decimal-json.ts'

${declarations.join('\n')}
export type KnownEvent = ${unionOf(names)}

/** The decimals in the body of each event. */
export const eventDecimals: Readonly<Record<string, DecimalPaths | undefined>> = {
${events.map(({ eventType, decimals }) => `${JSON.stringify(eventType)}: ${JSON.stringify(decimals)},`).join('\n')}
}
`
}

const unionOf = (names: readonly string[]): string => (names.length === 0 ? 'never' : names.join(' | '))

/** The codes that stand for their status as a whole; every other code of the status is a kind of them. */
const generalCodes: readonly string[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

export const classOfCode = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

const isGeneral = ({ code }: ErrorModel): boolean => generalCodes.includes(code)

/** A class before those that are kinds of it. */
export const errorsInOrder = ({ errors }: ApiModel): ErrorModel[] => [
  ...errors.filter(isGeneral),
  ...errors.filter((error) => !isGeneral(error)),
]

/** The class of which the class of a code is a kind. */
export function parentOf({ errors }: ApiModel, error: ErrorModel): string {
  const [status] = error.statuses
  const general =
    error.statuses.length === 1
      ? errors.find((one) => isGeneral(one) && one.statuses[0] === status)
      : undefined
  return general && general !== error ? classOfCode(general.code) : 'ApiError'
}

/** The code that an answer without one stands for. */
export const codesByStatus = ({ errors }: ApiModel): { status: number | undefined; code: string }[] =>
  errors.filter(isGeneral).map(({ code, statuses: [status] }) => ({ status, code }))

/** One class for each code. */
export function printErrors(model: ApiModel): string {
  const classes = errorsInOrder(model).map((error) => {
    const name = classOfCode(error.code)
    return `/** ${error.statuses.join(' or ')}: ${error.meaning}. */
export class ${name} extends ${parentOf(model, error)} {
override readonly name: string = ${JSON.stringify(name)}
}
`
  })
  return `import { ApiError } from '../api-error.ts'\n\n${classes.join('\n')}`
}

/** The class of each code, and the code that an answer without one stands for. */
export const printErrorTable = (model: ApiModel): string =>
  `import type { ApiError } from '../api-error.ts'
import { ${model.errors.map(({ code }) => classOfCode(code)).join(', ')} } from './errors.ts'

export const errorClasses: Readonly<Record<string, typeof ApiError | undefined>> = {
${model.errors.map(({ code }) => `${code}: ${classOfCode(code)},`).join('\n')}
}

export const codeByStatus: Readonly<Record<number, string | undefined>> = {
${codesByStatus(model)
  .map(({ status, code }) => `${status}: ${JSON.stringify(code)},`)
  .join('\n')}
}
`
