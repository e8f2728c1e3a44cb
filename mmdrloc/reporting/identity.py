"""Identity of a training: recipe, dataset, weights, options."""

from pathlib import PurePath
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    NamedTuple,
    Optional,
    Set,
    Tuple,
    Union,
)

# A batch in parts is the same batch.
SAME = 'optim_wrapper.accumulative_counts='
# Options of these parts concern the loss alone, which a baseline has not.
METHOD = ('model.auxiliary_head.', 'model.drloc_head.')
# In addresses of the Hub, between the name of a model and its file.
OF_THE_HUB = ('resolve', 'main')


class Identity(NamedTuple):
    """A training, whatever its seed.

    ``weights`` are a file's name, or the training that made them;
    ``options`` say what it does otherwise than the recipe.
    """

    recipe: str
    dataset: str
    weights: Union[None, str, 'Identity'] = None
    options: Tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What it is called among trainings on the same data."""
        parts = [self.recipe, *self.options]
        own = self
        while isinstance(own.weights, Identity):
            made_by = own.weights
            parts += ['from', made_by.recipe, *made_by.options]
            if made_by.dataset != own.dataset:
                parts += ['on', made_by.dataset]
            own = made_by
        if own.weights:
            parts += ['from', own.weights]
        return ' '.join(parts)


def shorten(identities: Iterable[Identity]) -> Dict[Identity, Identity]:
    """Make their titles as short as these trainings allow.

    Options that all trainings of a recipe have are left out, if they are of
    the loss alone or all others on the same data have them too; and of a
    dotted key or a recipe's path all but the last words that no other has.
    """
    given = {*identities}
    known = [*given]
    for one in known:  # and those that made their weights
        if isinstance(one.weights, Identity):
            known.append(one.weights)
    recipes = {one.recipe for one in known}
    keys = {o.partition('=')[0] for one in known for o in one.options}

    def shortened(one: Identity, common: Iterable[str] = ()) -> Identity:
        weights = one.weights
        if isinstance(weights, Identity):
            weights = shortened(weights)
        parts = [o.partition('=') for o in one.options if o not in common]
        options = tuple(
            f'{_ending(key, keys, ".")}={v}' for key, _, v in parts
        )
        recipe = _ending(one.recipe, recipes, '/')
        return Identity(recipe, one.dataset, weights, options)

    short = {}
    for one in given:
        own = _shared(o for o in given if o.recipe == one.recipe)
        all_have = _shared(o for o in given if o.dataset == one.dataset)
        common = {o for o in own if o in all_have or o.startswith(METHOD)}
        short[one] = shortened(one, common)
    return short


def _shared(identities: Iterable[Identity]) -> Set[str]:
    """The options that all of them have."""
    return set.intersection(*({*one.options} for one in identities))


def _ending(name: str, names: Iterable[str], separator: str) -> str:
    """The last words of a name that are the last of no other one."""
    words = name.split(separator)
    for count in range(1, len(words)):
        ending = separator + separator.join(words[-count:])
        if sum((separator + other).endswith(ending) for other in names) < 2:
            return ending.removeprefix(separator)
    return name


def of_run(run: Dict[str, Any]) -> Identity:
    """Read it from ``run`` in a ``result.json``."""
    weights = run['weights']
    if weights is not None:
        made_by = weights.get('run')
        place = weights['file']
        if '://' in place:  # a signature is not its name
            place = place.partition('?')[0]
        file = PurePath(place)
        # Published files are called alike, and their folders are not.
        words = [part for part in file.parts if part not in OF_THE_HUB]
        words = words[-2:] if file.stem == 'model' else words[-1:]
        # Weights of a known run are that run.
        weights = of_length(made_by) if made_by else '/'.join(words)
    options = [o for o in run.get('options', ()) if not o.startswith(SAME)]
    return Identity(
        run['recipe'], run['dataset'], weights, tuple(sorted(options))
    )


def of_length(run: Dict[str, Any]) -> Identity:
    """Like :func:`of_run`; a requested length counts as an option."""
    one = of_run(run)
    options = (*one.options, *run.get('length', ()))
    return one._replace(options=tuple(sorted(options)))


def of_record(record: Dict[str, Any]) -> Identity:
    """The training that a record of ``published.yml`` asks for."""
    weights = record.get('weights')
    if isinstance(weights, dict):
        weights = of_record(weights)
    given = record.get('options', {}).items()
    options = tuple(sorted(option_text(key, value) for key, value in given))
    return Identity(record['recipe'], record['dataset'], weights, options)


def baseline_of_run(
    run: Dict[str, Any], read: Callable[[Dict[str, Any]], Identity] = of_run
) -> Optional[Identity]:
    """The training that ``run`` of a ``result.json`` is to be compared with.

    Of a twin it is its baseline, from the same weights; of a run from a
    twin's weights the same from its baseline's; else None. ``read`` is
    :func:`of_run`, of weights :func:`of_length`.
    """
    own = read(run)
    if run['baseline'] is not None:
        # In a segmentor `auxiliary_head` is of the baseline too.
        head = run.get('head')
        of_loss = f'model.{head}.' if head else METHOD
        options = tuple(o for o in own.options if not o.startswith(of_loss))
        return own._replace(recipe=run['baseline'], options=options)
    made_by = (run['weights'] or {}).get('run')
    start = baseline_of_run(made_by, of_length) if made_by else None
    return own._replace(weights=start) if start else None


def option_text(key: str, value: Any) -> str:
    """An option as it is recorded, equal ones in equal words: 'a.b=32'."""
    is_float = isinstance(value, float)
    return f'{key}={value:g}' if is_float else f'{key}={value}'
