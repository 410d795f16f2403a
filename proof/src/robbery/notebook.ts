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
/** Virtual accounts and provider accounts share a field name. */
const kindOf = (name: string, owner: object): string =>
  name === 'account_id' && 'virtual_account_name' in owner ? 'virtual_account_id' : name

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
    else if (typeof body === 'object' && body !== null)
      for (const [name, part] of Object.entries(body)) {
        if (typeof part === 'string' && learned.test(name)) add(kindOf(name, body), part)
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
