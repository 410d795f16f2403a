export type Hex = `0x${string}`

/** Calls a method of the chain's node. The caller names the type of the result. */
export async function callChain<Result>(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<Result> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // A JSON-RPC 2.0 response has one of the two.
  const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } }
  if (error || result === undefined) throw new Error(`${method}: ${error?.message ?? 'no result'}`)
  return result
}

export async function unlockedAccount(rpcUrl: string): Promise<Hex> {
  const [account] = await callChain<Hex[]>(rpcUrl, 'eth_accounts', [])
  if (!account) throw new Error('the chain has no unlocked account')
  return account
}
