import type { ExpectedSurvivor } from './expected-survivor.ts'

const folder = 'server/src/connectors'
const text = 'The text is written for people.'
const type = 'There is always a first word; the default is there for the type.'

type Row = readonly [on: string, from: string, to: string, reason: string]

const rowsByFile: Readonly<Record<string, readonly Row[]>> = {
  'paystack/mapping.ts': [
    [
      'return surplus > 0n',
      'surplus > 0n',
      '(surplus) >= (0n)',
      'The same: a surplus of nothing is nothing.',
    ],
    ["gateway_response ?? ''", "''", "'mutated'", 'No reason is called so.'],
    ['notFoundWords.test(words.join', "' '", "''", 'The words are searched for with anything between them.'],
    [
      'const text = words.join',
      "' '",
      "''",
      'No phrase that is searched for begins in one word and ends in the next.',
    ],
    ['if (isRepeat)', "'the reference is a duplicate'", "''", text],
    ["return { kind: 'unknown', reason: `HTTP", '`HTTP ${status}`', '``', text],
  ],
  'flutterwave/mapping.ts': [
    ['fee === null', 'fee === null', 'false', 'What is no fee cannot be read as money either.'],
    [
      'providerRef === undefined ||',
      'providerRef === undefined || status === undefined',
      '(providerRef === undefined) && (status === undefined)',
      'The schema has both or none.',
    ],
    ["movementState('refund'", "'refund'", "''", 'Only a payin differs from the others.'],
    ["movementState('refund'", "''", "'mutated'", 'No reason is called so.'],
    ["reply.kind === 'handled'", "reply.kind === 'handled'", 'true', 'Only a handled reply has a meta.'],
    ['an unknown kind of authorization', "'an unknown kind of authorization'", "''", text],
    ['function refusalOf', "''", "'mutated'", type],
    ['ambiguous refusal', '`ambiguous refusal (HTTP ${status})`', '``', text],
    ['isNotFound: ', "''", "'mutated'", type],
  ],
  'flutterwave/chargebacks.ts': [
    ['status: z.string().min(1)', '1', '2', 'No status has one character.'],
    ['tx_ref: z.string().min(1)', '1', '2', 'None of our references has one character.'],
    ['chargeback.due_date ??', "''", "'mutated'", 'Neither is a date.'],
    ["words.join(' ')", "' '", "''", 'The message is the only word.'],
  ],
  'adyen/disputes.ts': [
    ["[reference = '']", "''", "'mutated'", type],
    ['defensePeriodEndsAt ??', "''", "'mutated'", 'Neither is a date.'],
    ['reasonFrom(reasons', "''", "'mutated'", 'Neither is a code of a reason.'],
    ['files.length === 0', "'Adyen takes documents only. Add a file.'", "''", text],
    ['if (!reason)', "'Adyen offers no reason to defend this dispute.'", "''", text],
    ['It takes PDF and JPEG', "'Adyen did not take the documents. It takes PDF and JPEG.'", "''", text],
    ['notPreparedResponse(supplied', "'Adyen did not take the documents.'", "''", text],
    ['Adyen refused the response', "'Adyen refused the response.'", "''", text],
  ],
}

export const connectorSurvivors: readonly ExpectedSurvivor[] = Object.entries(rowsByFile).flatMap(
  ([path, rows]) =>
    rows.map(([on, from, to, reason]) => ({ path: `${folder}/${path}`, on, from, to, reason })),
)
