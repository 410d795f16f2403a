import type { Pool } from 'pg'

/**
 * Our reference of an attempt, or of the newest one. Customers act at the provider by it, but the API shows it only to
 * the operator. Undefined while the database is down.
 */
export async function readReference(
  owner: Pool,
  paymentId: string,
  attemptNo: number | null = null,
): Promise<string | undefined> {
  const found = await owner
    .query<{ reference: string }>(
      `select reference::text from attempts where payment_id = $1 and ($2::int is null or attempt_no = $2)
       order by attempt_no desc limit 1`,
      [paymentId, attemptNo],
    )
    .catch(() => undefined)
  return found?.rows[0]?.reference
}
