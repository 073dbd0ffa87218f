import { testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { published } from './support/published.ts';

testEveryField('SRC-9: storage', async (library) => {
  const { provider } = await published({}, library);
  return provider;
});
