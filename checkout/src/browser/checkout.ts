/** Enhances a page that also works without script. It stores nothing: no storage, no globals, no copy of a field. */
import { copyDetails } from './copy-details.ts'
import { followState } from './follow-state.ts'
import { localizeTimes } from './localize-times.ts'
import { tellNetwork } from './tell-network.ts'
import { validateForms } from './validate-forms.ts'

const returnMs = 5_000

followState()
validateForms()
tellNetwork()
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

// A payer who does something on the page, such as asking for a receipt, is not taken away from it.
const back = document.querySelector<HTMLAnchorElement>('[data-return]')
if (back && !focused && !document.querySelector('[data-stay] [aria-invalid], .sent')) {
  const timer = setTimeout(() => location.assign(back.href), returnMs)
  const stay = (): void => clearTimeout(timer)
  for (const event of ['pointerdown', 'keydown', 'beforeprint']) addEventListener(event, stay, { once: true })
}
