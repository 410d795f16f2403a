import type { TimelineEntry } from '@switchyard/sdk'
import { deliveries, payment, terms, timeline as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { formatList, formatMoney, formatSeries } from '../../ui/format.ts'
import { nameOfAccount } from '../ledger/name-account.ts'
import { candidatesOf, providerName, textOf } from './entries.ts'

/** One sentence about an entry in the page's language, or the server's summary if the entry lacks data for it. */
export const summaryOf = (entry: TimelineEntry): string =>
  describers[entry.kind]?.(partsOf(entry)) ?? entry.summary.replaceAll(accountId, '')

const accountId = /:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

interface Parts {
  entry: TimelineEntry
  /** A value of the entry's data. If one is missing, the server's summary is used instead. */
  value: (name: string) => string | undefined
  money: string | undefined
  people: string
}

function partsOf(entry: TimelineEntry): Parts {
  const value = (name: string): string | undefined => textOf(entry.data[name]) ?? undefined
  const [amount, currency] = [value('amount'), value('currency')]
  return {
    entry,
    value,
    money: amount === undefined || currency === undefined ? undefined : formatMoney(amount, currency),
    people: formatList(entry.actors.map(({ name, user_id }) => name ?? user_id)),
  }
}

type Describer = (parts: Parts) => string | undefined

/** Builds a sentence from these values if the entry has all of them. */
const from =
  (names: readonly string[], make: (values: string[], parts: Parts) => string): Describer =>
  (parts) => {
    const values = names.map((name) => (name === 'money' ? parts.money : parts.value(name)))
    return values.every((value) => value !== undefined) ? make(values, parts) : undefined
  }

const numberOf = ({ entry }: Parts): string => String(entry.attempt_no ?? '')
const stateOf = (state = ''): string => nameOf(text.states, state)

const describers: Readonly<Record<string, Describer>> = {
  request: from(['direction', 'money', 'method'], ([direction = '', money = '', method = '']) =>
    [nameOf(terms.direction, direction), money, nameOf(terms.method, method)].join(' · '),
  ),
  routing: ({ entry }) =>
    formatSeries(
      candidatesOf([entry])
        .filter(({ taken }) => taken)
        .map(({ provider }) => providerName(provider)),
    ) || undefined,
  attempt: from(['provider', 'state'], ([provider = '', state], parts) =>
    text.attempt(numberOf(parts), providerName(provider), stateOf(state)),
  ),
  inquiry: from(['result'], ([result], parts) => text.inquiry(numberOf(parts), stateOf(result))),
  webhook: from(['provider', 'provider_status', 'result'], ([provider = '', status = '', result]) =>
    text.decided(text.webhook(providerName(provider), status), stateOf(result)),
  ),
  posting: from(
    ['kind', 'phase', 'debit_account', 'credit_account', 'money'],
    ([kind = '', phase = '', debit = '', credit = '', money = '']) => {
      const held = phase in text.phases ? ` (${nameOf(text.phases, phase)})` : ''
      const name = `${nameOf(text.postings, kind)}${held}`
      return text.decided(name, text.movement(nameOfAccount(debit), nameOfAccount(credit), money))
    },
  ),
  delivery: from(['event_type', 'status'], ([event = '', status = ''], { value }) =>
    text.delivery(event, value('host') ?? text.deleted, nameOf(deliveries.statuses, status)),
  ),
  review: from(['decision'], ([decision = ''], { people }) =>
    text.decided(people, nameOf(text.outcomes, decision)),
  ),
  resolution: from(['outcome'], ([outcome = ''], { people }) =>
    text.decided(people, nameOf(text.outcomes, outcome)),
  ),
  adjustment: from(
    ['debit_account', 'credit_account', 'money'],
    ([debit = '', credit = '', money = ''], { people }) =>
      text.decided(people, text.movement(nameOfAccount(debit), nameOfAccount(credit), money)),
  ),
  refund: from(['money', 'state'], ([money = '', state = '']) =>
    text.refund(money, nameOf({ ...text.states, ...lowered(payment.refundStatus) }, state)),
  ),
  dispute: from(['money', 'state'], ([money = '', state = '']) =>
    text.dispute(money, nameOf(terms.disputeState, state)),
  ),
  ramp: from(['from', 'to', 'crypto_network'], ([given = '', received = '', network = '']) =>
    text.exchange(given, received, network),
  ),
  leg: from(['kind', 'money', 'provider', 'state'], ([kind = '', amount = '', provider = '', state]) =>
    text.leg({
      kind: nameOf(text.legs, kind),
      amount,
      provider: providerName(provider),
      state: stateOf(state),
    }),
  ),
}

const lowered = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([value, name]) => [value, name.toLowerCase()]))
