import { ECDH, randomUUID } from 'node:crypto'
import {
  bytesToHex,
  parseTransaction,
  recoverTransactionAddress,
  type Address,
  type Hex,
  type TransactionSerializedEIP1559,
} from 'viem'
import { HDKey, mnemonicToAccount, publicKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import type { HttpClient } from '../../../../connectors/kit/http-client.ts'

interface UnsignedTransaction {
  chainId: number
  nonce: number
  to: Address
  data: Hex
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Holds the keys and exposes only addresses and signed transactions. */
export interface Signer {
  /** The account that deliveries are paid from. */
  readonly address: Address
  /** One address for each off-ramp, derived from public keys alone. */
  depositAddress(index: number): Address
  sign(transaction: UnsignedTransaction): Promise<TransactionSerializedEIP1559>
}

const deliveryAccount = 0
const depositAccountPath = `m/44'/60'/1'`

/** Keeps the keys in this process, derived from a seed phrase. For development only. */
export function createLocalSigner(seedPhrase: string): Signer {
  const account = mnemonicToAccount(seedPhrase, { accountIndex: deliveryAccount })
  const seed = mnemonicToAccount(seedPhrase, { path: depositAccountPath }).getHdKey()
  return {
    address: account.address,
    depositAddress: derivation(seed.publicExtendedKey),
    sign: async (transaction) =>
      serialized.parse(await account.signTransaction({ ...transaction, type: 'eip1559' })),
  }
}

interface RemoteSignerOptions {
  /** Implements `eth_signTransaction`, as Web3Signer does in front of a KMS or an HSM. */
  url: string
  address: Address
  /** The extended public key under which deposit addresses are derived. */
  depositXpub: string
}

/** Delegates to a remote signer and verifies that it signed exactly this transaction with the expected key. */
export function createRemoteSigner(options: RemoteSignerOptions, http: HttpClient): Signer {
  return {
    address: options.address,
    depositAddress: derivation(options.depositXpub),
    async sign(transaction) {
      const signed = await requestSignature(options, http, transaction)
      const read = parseTransaction(signed)
      const isSame =
        read.chainId === transaction.chainId &&
        (read.nonce ?? 0) === transaction.nonce &&
        read.to?.toLowerCase() === transaction.to.toLowerCase() &&
        read.data === transaction.data &&
        (read.value ?? 0n) === 0n &&
        read.gas === transaction.gas &&
        read.maxFeePerGas === transaction.maxFeePerGas &&
        read.maxPriorityFeePerGas === transaction.maxPriorityFeePerGas
      const signedBy = await recoverTransactionAddress({ serializedTransaction: signed })
      if (!isSame || signedBy.toLowerCase() !== options.address.toLowerCase())
        throw new Error('the signer signed another transaction, or with another key')
      return signed
    },
  }
}

const serialized = z.custom<TransactionSerializedEIP1559>(
  (value) => typeof value === 'string' && /^0x02[0-9a-f]+$/.test(value),
)
const answer = z.object({ id: z.string(), result: z.union([serialized, z.object({ raw: serialized })]) })

async function requestSignature(
  { url, address }: RemoteSignerOptions,
  http: HttpClient,
  transaction: UnsignedTransaction,
): Promise<TransactionSerializedEIP1559> {
  const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`
  const parameters = {
    from: address,
    to: transaction.to,
    data: transaction.data,
    value: '0x0',
    type: '0x2',
    chainId: hex(transaction.chainId),
    nonce: hex(transaction.nonce),
    gas: hex(transaction.gas),
    maxFeePerGas: hex(transaction.maxFeePerGas),
    maxPriorityFeePerGas: hex(transaction.maxPriorityFeePerGas),
  }
  const id = randomUUID()
  const result = await http({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_signTransaction', params: [parameters] }),
  })
  if (result.kind !== 'answered' || result.status !== 200) throw new Error('the signer did not answer')
  const { id: answeredId, result: signed } = answer.parse(JSON.parse(result.body))
  if (answeredId !== id) throw new Error('the signer answered another request')
  return typeof signed === 'string' ? signed : signed.raw
}

function derivation(xpub: string): (index: number) => Address {
  const root = HDKey.fromExtendedKey(xpub)
  return (index) => {
    const { publicKey } = root.deriveChild(0).deriveChild(index)
    if (!publicKey) throw new Error('a deposit address could not be derived')
    const whole = ECDH.convertKey(bytesToHex(publicKey).slice(2), 'secp256k1', 'hex', 'hex', 'uncompressed')
    return publicKeyToAddress(`0x${whole.toString()}`)
  }
}
