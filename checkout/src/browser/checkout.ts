/** Enhances a page that also works without JavaScript. It keeps no data: no storage, no globals, no copy of a field. */
import { copyDetails } from './copy-details.ts'
import { followState } from './follow-state.ts'
import { localizeTimes } from './localize-times.ts'
import { suggestNetwork } from './suggest-network.ts'
import { validateForms } from './validate-forms.ts'

const returnMs = 5_000

followState()
validateForms()
suggestNetwork()
localizeTimes()
copyDetails()

for (const form of document.querySelectorAll<HTMLFormElement>('[data-country]')) {
  form.querySelector('button')?.setAttribute('hidden', '')
  form.addEventListener('change', () => form.requestSubmit())
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

const focused = document.querySelector<HTMLElement>('[data-focus]')
focused?.focus()

// A payer who is using the page, for example to request a receipt, is not redirected away from it.
const back = document.querySelector<HTMLAnchorElement>('[data-return]')
if (back && !focused && !document.querySelector('[data-stay] [aria-invalid], .sent')) {
  const timer = setTimeout(() => location.assign(back.href), returnMs)
  const stay = (): void => clearTimeout(timer)
  for (const event of ['pointerdown', 'keydown', 'beforeprint']) addEventListener(event, stay, { once: true })
}
