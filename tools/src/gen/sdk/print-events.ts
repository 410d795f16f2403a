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

const className = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

const isGeneral = ({ code }: ErrorModel): boolean => generalCodes.includes(code)

/** One class for each code. */
export function printErrors({ errors }: ApiModel): string {
  const generals = errors.filter(isGeneral)
  const classes = [...generals, ...errors.filter((error) => !isGeneral(error))].map((error) => {
    const [status] = error.statuses
    const general =
      error.statuses.length === 1 ? generals.find((one) => one.statuses[0] === status) : undefined
    const parent = general && general !== error ? className(general.code) : 'ApiError'
    const name = className(error.code)
    return `/** ${error.statuses.join(' or ')}: ${error.meaning}. */
export class ${name} extends ${parent} {
override readonly name: string = ${JSON.stringify(name)}
}
`
  })
  return `import { ApiError } from '../api-error.ts'\n\n${classes.join('\n')}`
}

/** The class of each code, and the code that an answer without one stands for. */
export const printErrorTable = ({ errors }: ApiModel): string =>
  `import type { ApiError } from '../api-error.ts'
import { ${errors.map(({ code }) => className(code)).join(', ')} } from './errors.ts'

export const errorClasses: Readonly<Record<string, typeof ApiError | undefined>> = {
${errors.map(({ code }) => `${code}: ${className(code)},`).join('\n')}
}

export const codeByStatus: Readonly<Record<number, string | undefined>> = {
${errors
  .filter(isGeneral)
  .map(({ code, statuses }) => `${statuses[0]}: ${JSON.stringify(code)},`)
  .join('\n')}
}
`
