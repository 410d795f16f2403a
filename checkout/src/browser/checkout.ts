/** Enhances a page that also works without script. It stores nothing: no storage, no globals, no copy of a field. */
import { followState } from './follow-state.ts'
import { validateForms } from './validate-forms.ts'
import { localizeTimes } from './localize-times.ts'

followState()
validateForms()
localizeTimes()

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
