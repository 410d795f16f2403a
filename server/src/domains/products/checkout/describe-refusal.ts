import type { Page } from '@switchyard/checkout/scene.ts'
import { cardNumberNotAllowed, hasCardNumber } from '../../../lib/instruments/card-number.ts'
import { AppError } from '../../../lib/errors.ts'
import { loadVisit } from './load-visit.ts'
import { presentVisit, type PresentDeps, type ViewRequest } from './present-page.ts'
import type { Visitor } from './record.ts'
import { formField, type AnyForm } from './schema.ts'

/** What a page shows whose form had a card number in another field: what was typed, but for that. */
export function describeRefusal(
  error: unknown,
  form: AnyForm,
): Pick<ViewRequest, 'form' | 'invalid' | 'notice'> | undefined {
  if (!(error instanceof AppError) || error.code !== cardNumberNotAllowed) return undefined
  const harmless = Object.entries(form).filter(([name, text]) => !hasCardNumber(name) && !hasCardNumber(text))
  return {
    form: Object.fromEntries(harmless),
    invalid: (error.details ?? []).flatMap(({ path }) => formField.safeParse(path).data ?? []),
    notice: 'noticeCardNumber',
  }
}

export const presentAgain = async (deps: PresentDeps, visitor: Visitor, view: ViewRequest): Promise<Page> =>
  presentVisit(deps, await loadVisit(deps, visitor), visitor, view)
