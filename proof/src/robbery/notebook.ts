import type { Chance } from '../shared/chance.ts'

/** The ids and addresses that an organisation has learned from answers, by the name of their field. */
export type Notebook = {
  learn(body: unknown): void
  add(kind: string, value: string): void
  all(kind: string): readonly string[]
  /** One of them, more often a recent one; a random id if there is none. */
  any(kind: string, chance: Chance): string
}

const learned = /(?:_id|^webhook_url|^account_number)$/
const keptPerKind = 400
const recent = 12
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field's name, and for some a narrower kind: a payee by where it is paid, a configuration by provider. */
function kindsOf(name: string, owner: Readonly<Record<string, unknown>>): string[] {
  if (name === 'account_id' && 'virtual_account_name' in owner) return ['virtual_account_id']
  if (name === 'beneficiary_id' && 'account_type' in owner) return [name, payeeOf(owner)]
  if (name === 'account_id' && 'webhook_url' in owner) return [name, 'provider_account_id']
  // Every answer has a request_id; only this one can be decided about.
  if (name === 'request_id') return 'requested_by' in owner ? ['change_request_id'] : []
  if (name === 'config_id' && 'priority' in owner) return [name, `${name} ${String(owner['provider'])}`]
  return [name]
}

/** The last two digits of a phone decide what the simulator does with a payout to it. */
export const payeeKind = (country: string, digits: string): string => `payee ${country} ${digits}`

function payeeOf({ country, momo_details: wallet }: Readonly<Record<string, unknown>>): string {
  const phone = isObject(wallet) ? wallet['phone_number'] : undefined
  return payeeKind(String(country), typeof phone === 'string' ? phone.slice(-2) : 'bank')
}

const nobody = '00000000-0000-4000-8000-000000000000'

export function createNotebook(): Notebook {
  const values = new Map<string, string[]>()
  const add = (kind: string, value: string): void => {
    const known = values.get(kind) ?? []
    if (known.includes(value)) return
    values.set(kind, [...known, value].slice(-keptPerKind))
  }
  const learn = (body: unknown): void => {
    if (Array.isArray(body)) for (const part of body) learn(part)
    else if (isObject(body))
      for (const [name, part] of Object.entries(body)) {
        if (typeof part === 'string' && part !== '' && learned.test(name))
          for (const kind of kindsOf(name, body)) add(kind, part)
        else learn(part)
      }
  }
  return {
    learn,
    add,
    all: (kind) => values.get(kind) ?? [],
    any(kind, chance) {
      const known = values.get(kind) ?? []
      const choice = chance() < 0.7 ? known.slice(-recent) : known
      return choice[Math.floor(chance() * choice.length)] ?? nobody
    },
  }
}
