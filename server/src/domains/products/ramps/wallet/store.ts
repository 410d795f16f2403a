import { sql, type CompiledQuery } from 'kysely'
import type { Address, Hex, TransactionSerializedEIP1559 } from 'viem'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import type {
  Deposit,
  DepositAddress,
  NewTransfer,
  SignedVersion,
  Transfer,
  TransferState,
} from './record.ts'

type Verdict = 'send' | 'never'

/** The first decision on a reference is final; returns whether this call made it. */
async function decide(tx: Tx, orgId: string, reference: string, verdict: Verdict): Promise<boolean> {
  const row = await tx.db
    .insertInto('wallet_decisions')
    .values({ org_id: orgId, reference, verdict })
    .onConflict((conflict) => conflict.columns(['org_id', 'reference']).doNothing())
    .returning('reference')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns false when it was decided before to send the transfer. */
export async function abandonTransfer(tx: Tx, orgId: string, reference: string): Promise<boolean> {
  if (await decide(tx, orgId, reference, 'never')) return true
  const { verdict } = await tx.db
    .selectFrom('wallet_decisions')
    .select('verdict')
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  return verdict === 'never'
}

/**
 * Reserves the next nonce for the transfer in one transaction: a nonce without a transfer would block all later
 * ones. Does nothing when another call has decided on the reference before.
 */
export async function reserveNonceAcrossOrgs(
  tx: Tx,
  orgId: string,
  transfer: NewTransfer,
  chainNonce: number,
): Promise<void> {
  const { chainId, from } = transfer
  if (!(await decide(tx, orgId, transfer.reference, 'send'))) return
  const row = await tx.db
    .insertInto('wallet_nonces')
    .values({ chain_id: BigInt(chainId), address: from, next_nonce: BigInt(chainNonce + 1) })
    .onConflict((conflict) =>
      conflict.columns(['chain_id', 'address']).doUpdateSet({
        next_nonce: sql`greatest(wallet_nonces.next_nonce, ${chainNonce}::bigint) + 1`,
      }),
    )
    .returning('next_nonce')
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('wallet_transfers')
    .values({
      org_id: orgId,
      reference: transfer.reference,
      chain_id: BigInt(chainId),
      token: transfer.token,
      from_address: from,
      to_address: transfer.to,
      amount_minor: transfer.amountMinor.toString(),
      nonce: BigInt(row.next_nonce) - 1n,
      state: 'open',
    })
    .execute()
}

export async function findTransfer(tx: Tx, orgId: string, reference: string): Promise<Transfer | undefined> {
  const row = await tx.db
    .selectFrom('wallet_transfers')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return (
    row && {
      reference: row.reference,
      chainId: Number(row.chain_id),
      token: row.token as Address, // written by reserveNonceAcrossOrgs
      from: row.from_address as Address, // written by reserveNonceAcrossOrgs
      to: row.to_address as Address, // written by reserveNonceAcrossOrgs
      amountMinor: BigInt(row.amount_minor),
      nonce: Number(row.nonce),
      state: row.state as TransferState, // check constraint
      txHash: row.tx_hash,
    }
  )
}

/** The amount of reserved transfers that may not have left the wallet yet. */
export async function sumOpenTransfersAcrossOrgs(
  tx: Tx,
  wallet: { chainId: number; token: Address; from: Address },
): Promise<bigint> {
  const row = await tx.db
    .selectFrom('wallet_transfers')
    .select(sql<string>`coalesce(sum(amount_minor), 0)::text`.as('sum'))
    .where('chain_id', '=', BigInt(wallet.chainId))
    .where('token', '=', wallet.token)
    .where('from_address', '=', wallet.from)
    // A literal, by which the planner recognises the index of open transfers.
    .where('state', '=', sql.lit('open'))
    .executeTakeFirstOrThrow()
  return BigInt(row.sum)
}

export async function selectVersions(tx: Tx, orgId: string, reference: string): Promise<SignedVersion[]> {
  const rows = await tx.db
    .selectFrom('wallet_transactions')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .orderBy('version_no')
    .execute()
  return rows.map((row) => ({
    versionNo: row.version_no,
    txHash: row.tx_hash as Hex, // written by insertVersion
    signed: row.signed_transaction as TransactionSerializedEIP1559, // written by insertVersion
    maxFeePerGas: BigInt(row.max_fee_wei),
    maxPriorityFeePerGas: BigInt(row.priority_fee_wei),
    createdAt: row.created_at,
  }))
}

/** Fails when another process has written the same version first. */
export const insertVersion = (orgId: string, reference: string, version: SignedVersion): CompiledQuery =>
  statements
    .insertInto('wallet_transactions')
    .values({
      org_id: orgId,
      reference,
      version_no: version.versionNo,
      tx_hash: version.txHash,
      signed_transaction: version.signed,
      max_fee_wei: version.maxFeePerGas.toString(),
      priority_fee_wei: version.maxPriorityFeePerGas.toString(),
      created_at: version.createdAt,
    })
    .compile()

export const updateTransfer = (
  orgId: string,
  reference: string,
  end: { state: TransferState; txHash: string | null },
): CompiledQuery =>
  statements
    .updateTable('wallet_transfers')
    .set({ state: end.state, tx_hash: end.txHash, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .where('state', '=', 'open')
    .compile()

export async function takeDerivationIndex(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ index: number }>`
    select nextval('wallet_deposit_index')::integer as index where ${orgId}::uuid is not null`.execute(tx.db)
  if (!rows[0]) throw new Error('no index for a deposit address')
  return rows[0].index
}

export const insertDepositAddress = (
  orgId: string,
  row: DepositAddress & { derivationIndex: number },
): CompiledQuery =>
  statements
    .insertInto('wallet_deposit_addresses')
    .values({
      org_id: orgId,
      reference: row.reference,
      chain_id: BigInt(row.chainId),
      token: row.token,
      address: row.address,
      derivation_index: row.derivationIndex,
      scanned_block: row.scannedBlock,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'reference']).doNothing())
    .compile()

export async function findDepositAddress(
  tx: Tx,
  orgId: string,
  reference: string,
): Promise<DepositAddress | undefined> {
  const row = await tx.db
    .selectFrom('wallet_deposit_addresses')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return (
    row && {
      reference: row.reference,
      chainId: Number(row.chain_id),
      token: row.token as Address, // written by insertDepositAddress
      address: row.address as Address, // written by insertDepositAddress
      scannedBlock: BigInt(row.scanned_block),
    }
  )
}

/** Stores deposits together with the last scanned block, so that none is counted twice or missed. */
export const insertDeposits = (
  orgId: string,
  reference: string,
  found: { deposits: readonly Deposit[]; scannedBlock: bigint },
): CompiledQuery[] => [
  ...(found.deposits.length === 0
    ? []
    : [
        statements
          .insertInto('wallet_deposits')
          .values(
            found.deposits.map((deposit) => ({
              org_id: orgId,
              reference,
              tx_hash: deposit.txHash,
              log_index: deposit.logIndex,
              block_number: deposit.blockNumber,
              from_address: deposit.from,
              amount_minor: deposit.amountMinor.toString(),
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .compile(),
      ]),
  statements
    .updateTable('wallet_deposit_addresses')
    .set({ scanned_block: sql`greatest(scanned_block, ${found.scannedBlock.toString()}::bigint)` })
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .compile(),
]

export async function sumDeposits(tx: Tx, orgId: string, reference: string): Promise<bigint> {
  const row = await tx.db
    .selectFrom('wallet_deposits')
    .select(sql<string>`coalesce(sum(amount_minor), 0)::text`.as('sum'))
    .where('org_id', '=', orgId)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  return BigInt(row.sum)
}
