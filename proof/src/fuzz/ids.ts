import type { IdMark } from './schema-values.ts'
import { randomUUID } from 'node:crypto'

const keptPerName = 200
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const webhookPath = /\/v1\/providers\/([^/"]+)\/webhooks\/([^/"]+)/g

/** Maps the names of request fields to the names in answers. */
const aliases: Readonly<Record<string, string>> = {
  transaction_id: 'payment_id',
  lastEvaluatedKey: 'last_evaluated_key',
}
const nameOf = (name: string): string => aliases[name] ?? name

/** Collects ids and cursors from answers by organisation, and records who was shown each first. */
export class Ids {
  readonly #byOrg = new Map<string, Map<string, string[]>>()
  readonly #firstSeenBy = new Map<string, string>()
  readonly #sentBy = new Set<string>()
  readonly #kept: ReadonlySet<string>

  /** @param kept ids that requests must not contain, because the fuzzer needs these members and keys to the end. */
  constructor(kept: ReadonlySet<string>) {
    this.#kept = kept
  }

  add(org: string, name: string, value: string): void {
    if (this.#kept.has(value)) return
    const names = this.#byOrg.get(org) ?? new Map<string, string[]>()
    this.#byOrg.set(org, names)
    const values = names.get(nameOf(name)) ?? []
    names.set(nameOf(name), values)
    if (values.includes(value)) return
    values.push(value)
    if (values.length > keptPerName) values.shift()
  }

  resolve({ name, whose, pick }: IdMark, org: string): string {
    const values = (isWanted: (owner: string) => boolean): string[] =>
      [...this.#byOrg]
        .filter(([owner]) => isWanted(owner))
        .flatMap(([, names]) => names.get(nameOf(name)) ?? [])
    const own = whose === 'own' ? values((owner) => owner === org) : []
    const found = own.length > 0 || whose === 'nobody' ? own : values((owner) => owner !== org)
    return found[pick % Math.max(found.length, 1)] ?? randomUUID()
  }

  harvest(org: string, body: unknown, text: string): void {
    visit(body, (name, value, { payment_id: paymentId }) => {
      if (name === 'status' && typeof paymentId === 'string')
        this.add(org, `payment_id in ${value}`, paymentId)
      if ((name.endsWith('_id') && name !== 'request_id') || nameOf(name) === 'last_evaluated_key')
        this.add(org, name, value)
    })
    for (const [, provider = '', token = ''] of text.matchAll(webhookPath)) {
      this.add(org, `token of ${provider}`, token)
    }
  }

  /** An organisation may be shown anything that it has sent itself. */
  noteSent(org: string, request: string): void {
    for (const id of request.toLowerCase().match(uuidPattern) ?? []) this.#sentBy.add(`${org} ${id}`)
  }

  /** Returns the ids in an answer that another organisation was shown first. */
  strangersIn(org: string, answer: string): string[] {
    return [...new Set(answer.match(uuidPattern))].filter((id) => {
      const first = this.#firstSeenBy.get(id)
      if (first === undefined) this.#firstSeenBy.set(id, org)
      return first !== undefined && first !== org && !this.#sentBy.has(`${org} ${id}`)
    })
  }
}

type Take = (name: string, value: string, around: Record<string, unknown>) => void

/** Visits every string in a JSON value, with its name and the object that contains it. */
function visit(value: unknown, take: Take): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') take(name, inner, { ...value })
    else visit(inner, take)
  }
}
