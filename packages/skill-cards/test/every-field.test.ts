import { testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { withSkillCards } from '../src/index.ts';

testEveryField('FMT-4: a source with cards, of which there are none', async (library) => withSkillCards(library));
