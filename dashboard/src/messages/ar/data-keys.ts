import type { Translated } from '../translated.ts'
import type { dataKeys as english } from '../en/data-keys.ts'

export const dataKeys: Translated<typeof english> = {
  title: 'مفتاح البيانات',
  text: 'تُشفَّر الأسماء والأرقام وسائر البيانات الشخصية لمؤسستك بمفتاح خاص بها. بعد التدوير تستخدم البيانات الجديدة المفتاح الجديد فورًا، ويُعاد تشفير البيانات الأقدم في الخلفية. ولا يتغيّر شيء آخر.',
  rotate: 'تدوير المفتاح',
  confirmTitle: 'هل تريد تدوير مفتاح البيانات؟',
  confirmText: 'تستمر واجهة API في العمل ولا تتغيّر أي استجابة. يُسجَّل ذلك في سجل التدقيق.',
  submit: 'تدوير',
  done: 'تُشفَّر البيانات الجديدة بمفتاح جديد.',
  current: 'المفتاح الجديد',
}
