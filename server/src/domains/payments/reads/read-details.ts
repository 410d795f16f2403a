import { UnopenableError, type Vault } from '../../../kernel/db/vault.ts'
import { privateContext, type Payment, type PrivateDetails } from '../record.ts'

/** What is sealed under the subject of the payment is erased with its details. */
export const sealDetails = (
  { vault }: { vault: Vault },
  { orgId, paymentId }: Pick<Payment, 'orgId' | 'paymentId'>,
  details: PrivateDetails,
): Promise<Buffer> => vault.seal(orgId, privateContext(paymentId), details, privateContext(paymentId))

/** For showing them beside others: empty once they are erased, or when they cannot be opened. */
export async function readDetails(
  { vault }: { vault: Vault },
  { orgId, paymentId, privateSealed }: Pick<Payment, 'orgId' | 'paymentId' | 'privateSealed'>,
  onUnopenable: () => void = () => undefined,
): Promise<PrivateDetails> {
  if (privateSealed.length === 0) return {}
  try {
    return (await vault.open(orgId, privateContext(paymentId), privateSealed)) as PrivateDetails // sealed by us from this type
  } catch (error) {
    if (!(error instanceof UnopenableError)) throw error
    onUnopenable()
    return {}
  }
}
