import type { Address, Hex, PublicClient, TransactionSerializedEIP1559 } from 'viem'
import type { Database } from '../../../../kernel/db/database.ts'
import type { Fees } from './rules.ts'
import type { ChainFacts } from './schema.ts'
import type { Signer } from './sign-transfer.ts'

export interface Chain extends ChainFacts {
  client: PublicClient
}

/** The installation's own wallet: its chains and its signer. */
export interface Wallets {
  chains: readonly Chain[]
  /** Undefined when the installation has no wallet of its own. */
  signer: Signer | undefined
}

export interface WalletDeps {
  db: Database
  wallets: Wallets
}

/** A token that the wallet holds: its contract, chain and signer. */
export interface TokenPlace {
  chain: Chain
  token: Address
  signer: Signer
}

export interface NewTransfer {
  reference: string
  chainId: number
  token: Address
  from: Address
  to: Address
  amountMinor: bigint
}

export type TransferState = 'open' | 'confirmed' | 'reverted' | 'displaced'

export interface Transfer extends NewTransfer {
  nonce: number
  state: TransferState
  txHash: string | null
}

/** One signed transaction of a transfer. Every version uses the nonce of the transfer, so at most one is mined. */
export interface SignedVersion extends Fees {
  versionNo: number
  txHash: Hex
  signed: TransactionSerializedEIP1559
  createdAt: Date
}

export interface DepositAddress {
  reference: string
  chainId: number
  token: Address
  address: Address
  scannedBlock: bigint
}

export interface Deposit {
  txHash: string
  logIndex: number
  blockNumber: bigint
  from: string
  amountMinor: bigint
}
