/** What script adds to a page that works without it. It keeps nothing: no storage, no global, no copy of a field. */
import { followState } from './follow-state.ts'
import { guardForms } from './guard-forms.ts'
import { tellTime } from './tell-time.ts'

followState()
guardForms()
tellTime()

for (const form of document.querySelectorAll<HTMLFormElement>('[data-country]')) {
  form.querySelector('button')?.setAttribute('hidden', '')
  form.addEventListener('change', () => form.requestSubmit())
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  const text = document.querySelector(`#${button.dataset['copy'] ?? ''}`)?.textContent ?? ''
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = button.dataset['copied'] ?? ''
        setTimeout(() => (button.textContent = label), 2_000)
      },
      () => undefined,
    )
  })
}

document.querySelector<HTMLElement>('[data-focus]')?.focus()

const back = document.querySelector<HTMLAnchorElement>('[data-return]')
if (back) setTimeout(() => location.assign(back.href), 5_000)
