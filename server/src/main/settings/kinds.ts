import { isIP } from 'node:net'
import { z } from 'zod'
import { parseSecrets } from '../../lib/crypto/secrets.ts'

/** What reads a setting. The commands are migrate, archive, bootstrap, rebuild, audit, doctor and connector-check. */
type UsedBy = 'api' | 'worker' | 'commands'

interface SettingNotes {
  description: string
  /** A value that the schema accepts; every setting without a default has one. */
  example?: string
  usedBy: readonly UsedBy[]
  /** The value must not be shown, and belongs into a file or a secret store. */
  isSecret: boolean
}

type Notes = Partial<Omit<SettingNotes, 'description'>>

const notesSchema = z.object({
  description: z.string(),
  example: z.string().optional(),
  usedBy: z.array(z.enum(['api', 'worker', 'commands'])),
  isSecret: z.boolean(),
})

/** Describes a setting for docs/settings.md, for the values of the Helm chart and for the message when it is missing. */
export const setting = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  { example, usedBy = ['api', 'worker', 'commands'], isSecret = false }: Notes = {},
): Schema => schema.meta({ description, example, usedBy: [...usedBy], isSecret })

/** The schemas of a group of settings, by name. */
export type SettingGroup = Readonly<Record<string, z.ZodType>>

export function notesOf(schema: z.ZodType): SettingNotes {
  const { example, ...notes } = notesSchema.parse(schema.meta())
  return example === undefined ? notes : { ...notes, example }
}

const lastPort = 65_535
const portMessage = `must be a port from 0 to ${lastPort}`
export const port = z.coerce
  .number(portMessage)
  .int(portMessage)
  .min(0, portMessage)
  .max(lastPort, portMessage)

const countMessage = 'must be a whole number above 0'
export const count = z.coerce.number(countMessage).int(countMessage).positive(countMessage)

export const url = z.url('must be a URL')
export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL that starts with https:// or http://',
})
export const postgresUrl = z.url({
  protocol: /^postgres(?:ql)?$/,
  error: 'must be a URL such as postgres://user:password@host:5432/database',
})
export const text = z.string().min(1, 'must not be empty')

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** The versions of a secret, the current one first. */
export const secrets = z.string().transform((value, context) => {
  const found = parseSecrets(value)
  if (typeof found !== 'string') return found
  context.addIssue({ code: 'custom', message: found })
  return z.NEVER
})

export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** Neither a boolean nor a number of hops: whoever reaches the api directly could then choose their own address. */
export const proxyNetworks = list.refine(
  (networks) => networks.every(isNetwork),
  'must list the addresses or networks of your proxies, such as 10.0.0.0/8,2001:db8::/32; a client whose connection comes from elsewhere cannot set its own address',
)

function isNetwork(network: string): boolean {
  const [address = '', prefix, ...rest] = network.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isPrefix = prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
  return bits > 0 && isPrefix && rest.length === 0
}
