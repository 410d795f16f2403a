import { encodeFunctionData, erc20Abi, type Address, type Hex } from 'viem'

export const transferData = ({ to, amountMinor }: { to: Address; amountMinor: bigint }): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amountMinor] })

export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Nodes accept a replacement only if both fees rise by a tenth; an eighth leaves room for rounding. */
const raise = (wei: bigint): bigint => wei + wei / 8n + 1n

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/**
 * The fees of the next version: the market price, but at least what a replacement must offer. Undefined when that
 * is above the limit: then the transfer waits.
 */
export function nextFees(market: Fees, last: Fees | undefined, limitWei: bigint): Fees | undefined {
  const tip = last
    ? larger(market.maxPriorityFeePerGas, raise(last.maxPriorityFeePerGas))
    : market.maxPriorityFeePerGas
  const fee = last ? larger(market.maxFeePerGas, raise(last.maxFeePerGas)) : market.maxFeePerGas
  const fees = { maxFeePerGas: larger(fee, tip), maxPriorityFeePerGas: tip }
  return fees.maxFeePerGas > limitWei ? undefined : fees
}
