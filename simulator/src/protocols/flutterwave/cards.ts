import { createDecipheriv } from 'node:crypto'
import type { Account } from '../../core/accounts.ts'
import type { Failure } from '../../core/transaction.ts'

/** The authentication of the card: none, a PIN and then a password, the bank's page, or an address. */
export type CardMode = 'noauth' | 'pin' | 'redirect' | 'avs_noauth' | 'otp'

interface TestCard {
  readonly mode: CardMode
  readonly failure?: Failure
}

const insufficient = { code: 'insufficient_funds', message: 'Insufficient Funds' }
const doNotHonour = { code: 'declined', message: 'Do Not Honour' }

/** Documented test cards, and two of our own: one needs only a password, the other an address. */
const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '5531886652142950': { mode: 'pin' },
  '4187427415564246': { mode: 'redirect' },
  '5061460166976054667': { mode: 'noauth' },
  '5258585922666506': { mode: 'noauth', failure: insufficient },
  '5143010522339965': { mode: 'noauth', failure: doNotHonour },
  '5438898014560229': { mode: 'otp' },
  '4556052704172643': { mode: 'avs_noauth' },
}

export function testCardOf(number: string): TestCard {
  return TEST_CARDS[number] ?? { mode: 'noauth' }
}

/** Decrypts 3DES in ECB mode from base64. Returns undefined if another key was used. */
export function decryptCard(account: Account, client: string): unknown {
  try {
    const decipher = createDecipheriv('des-ede3-ecb', account.secrets['encryption_key'] ?? '', null)
    const plain = Buffer.concat([decipher.update(client, 'base64'), decipher.final()])
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return undefined
  }
}
